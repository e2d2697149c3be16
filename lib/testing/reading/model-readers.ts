import { cleanText } from "@/lib/agent/messages/clean-text";
import { beginningOf, cutError } from "@/lib/agent/messages/cut-error";
import { cutMiddle } from "@/lib/agent/messages/cut-middle";
import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { ai } from "@/lib/agent/messages/messages";
import { inTags, keepInTag } from "@/lib/agent/messages/tags";
import { readCalls } from "@/lib/agent/tools/read-arguments";
import { EndTokens, withoutEndTokens } from "@/lib/models/dialects/end-tokens";
import { EventReader, readJson } from "@/lib/models/dialects/event-reader";
import { isInCode } from "@/lib/models/dialects/in-code";
import { ReplyReader } from "@/lib/models/dialects/reply-reader";
import { callsInBody, inFence, jsonCalls, withoutNamespace } from "@/lib/models/dialects/text-calls/call-forms";
import { mayBeginCall, readTextCalls } from "@/lib/models/dialects/text-calls/text-calls";
import { ThoughtFilter } from "@/lib/models/dialects/thought-filter";
import { findMessage, findStatedMessage } from "@/lib/models/failures/provider-message";
import { createRedactor } from "@/lib/models/failures/redact";
import { hasNoCredit, hasNoTools, isAboveRate, isRateLimit, isTooLong } from "@/lib/models/failures/refusal-kinds";
import { refusedTool } from "@/lib/models/failures/refused-tool";
import { readRetryAfter, statedWait } from "@/lib/models/failures/retry-after";
import { outputRoom, statedLength } from "@/lib/models/failures/stated-length";
import { readPartialObject } from "@/lib/schema/messages/partial-json";
import { exactTokens, latinLength } from "@/lib/schema/messages/token-estimate";
import { cleanTitle } from "@/lib/server/engine/titles/clean-title";
import { titleInJson } from "@/lib/server/engine/titles/title-in-json";
import { sanitizeSteps, sanitizeText } from "@/lib/text/sanitize/sanitize-text";
import { isSilentText, silentReplyStep, withoutToken } from "@/lib/text/sanitize/silent-reply";
import { chainSteps } from "@/lib/text/sanitize/stream-step";
import { tagScanner } from "@/lib/text/sanitize/tag-scanner";
import { foldText } from "@/lib/text/scan/fold-text";
import { scanInput } from "@/lib/text/scan/scan-input";
import { inTokens, type Readers, throughStep } from "./reader";

const TOOLS = new Set(["a", "calculate"]);
const KEYS = ["sk-a1b2c3d4e5f6a7b8", "Bearer a-long-enough-key"];

const delta = (content: object) => ({ kind: "value" as const, value: { choices: [{ index: 0, delta: content }] } });

function newReply(): ReplyReader {
  return new ReplyReader({
    thoughtsInText: true,
    callsInText: true,
    toolNames: TOOLS,
    writer: "w",
    createId: () => "c",
  });
}

function readReply(text: string, field: "content" | "reasoning_content"): void {
  const reader = newReply();
  inTokens(text, (piece) => {
    reader.add(delta({ [field]: piece }));
    reader.take();
  });
  reader.end(0);
}

function readArguments(text: string): void {
  const reader = newReply();
  reader.add(delta({ tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: "" } }] }));
  inTokens(text, (piece) => {
    reader.add(delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
    reader.take();
  });
  reader.end(0);
}

/** What models and their servers write: answers, calls, titles, failures. */
export const MODEL_READERS: Readers = {
  "lib/agent/messages/clean-text.ts#cleanText": cleanText,
  "lib/agent/messages/cut-error.ts#beginningOf": (text) => beginningOf(text, 8_000),
  "lib/agent/messages/cut-error.ts#cutError": cutError,
  "lib/agent/messages/cut-middle.ts#cutMiddle": (text) =>
    cutMiddle(text, { maxChars: 8_000, head: 4_000, tail: 2_000 }),
  "lib/agent/messages/estimate-tokens.ts#tokensOf": (text) => tokensOf(text),
  "lib/agent/messages/tags.ts#inTags": (text) => inTags("a", text),
  "lib/agent/messages/tags.ts#keepInTag": (text) => keepInTag("a", text),
  "lib/agent/tools/read-arguments.ts#readCalls": (text) => {
    const call = ai("", { id: "c", name: "a", args: {} }).toolCalls[0];
    const tool = {
      name: "a",
      description: "",
      parameters: { type: "object", properties: { a: { type: "string" } } },
      annotations: { readOnly: true, idempotent: true },
      parse: () => ({ ok: false }),
    };
    const toolbox = { find: () => tool, canonical: (given: unknown) => given };
    readCalls({ ...call, rawArgs: text, argsError: "no JSON" } as never, toolbox as never);
  },
  "lib/models/dialects/end-tokens.ts#EndTokens": (text) => {
    const tokens = new EndTokens();
    inTokens(text, (piece) => tokens.push(piece));
    tokens.end();
  },
  "lib/models/dialects/end-tokens.ts#withoutEndTokens": withoutEndTokens,
  "lib/models/dialects/event-reader.ts#EventReader": (text) => {
    const reader = new EventReader();
    reader.add(text);
    reader.end();
  },
  "lib/models/dialects/event-reader.ts#EventReader in tokens": (text) => {
    const reader = new EventReader();
    inTokens(text, (piece) => reader.add(piece));
    reader.end();
  },
  "lib/models/dialects/event-reader.ts#readJson": readJson,
  "lib/models/dialects/in-code.ts#isInCode": isInCode,
  "lib/models/dialects/reply-reader.ts#ReplyReader": (text) => readReply(text, "content"),
  "lib/models/dialects/reply-reader.ts#ReplyReader of thoughts": (text) => readReply(text, "reasoning_content"),
  "lib/models/dialects/reply-reader.ts#ReplyReader of arguments": readArguments,
  "lib/models/dialects/text-calls/call-forms.ts#callsInBody": (text) => callsInBody(text, text, TOOLS),
  "lib/models/dialects/text-calls/call-forms.ts#inFence": inFence,
  "lib/models/dialects/text-calls/call-forms.ts#jsonCalls": (text) => jsonCalls(text, TOOLS),
  "lib/models/dialects/text-calls/call-forms.ts#withoutNamespace": (text) => withoutNamespace(text, TOOLS),
  "lib/models/dialects/text-calls/text-calls.ts#mayBeginCall": mayBeginCall,
  "lib/models/dialects/text-calls/text-calls.ts#readTextCalls": (text) => readTextCalls(text, TOOLS),
  "lib/models/dialects/thought-filter.ts#ThoughtFilter": (text) => {
    const filter = new ThoughtFilter();
    inTokens(text, (piece) => filter.push(piece));
    filter.end();
  },
  "lib/models/failures/provider-message.ts#findStatedMessage": findStatedMessage,
  "lib/models/failures/provider-message.ts#findMessage": findMessage,
  "lib/models/failures/redact.ts#createRedactor": createRedactor(KEYS),
  "lib/models/failures/refusal-kinds.ts#hasNoCredit": (text) => hasNoCredit(text, 400),
  "lib/models/failures/refusal-kinds.ts#hasNoTools": hasNoTools,
  "lib/models/failures/refusal-kinds.ts#isAboveRate": isAboveRate,
  "lib/models/failures/refusal-kinds.ts#isRateLimit": (text) => isRateLimit(text, 400),
  "lib/models/failures/refusal-kinds.ts#isTooLong": (text) => isTooLong(text, 400),
  "lib/models/failures/refused-tool.ts#refusedTool": (text) =>
    refusedTool({ status: 400, text }, [{ name: "a" }, { name: "calculate" }] as never),
  "lib/models/failures/retry-after.ts#readRetryAfter": (text) =>
    readRetryAfter({ responseHeaders: {}, responseBody: text }),
  "lib/models/failures/retry-after.ts#statedWait": statedWait,
  "lib/models/failures/stated-length.ts#outputRoom": (text) => outputRoom(text, 100),
  "lib/models/failures/stated-length.ts#statedLength": statedLength,
  "lib/schema/messages/partial-json.ts#readPartialObject": readPartialObject,
  "lib/schema/messages/token-estimate.ts#exactTokens": (text) => exactTokens(text),
  "lib/schema/messages/token-estimate.ts#latinLength": latinLength,
  "lib/server/engine/titles/clean-title.ts#cleanTitle": cleanTitle,
  "lib/server/engine/titles/title-in-json.ts#titleInJson": titleInJson,
  "lib/text/sanitize/sanitize-text.ts#sanitizeText": sanitizeText,
  "lib/text/sanitize/sanitize-text.ts#sanitizeSteps": (text) => throughStep(text, chainSteps(sanitizeSteps())),
  "lib/text/sanitize/silent-reply.ts#isSilentText": (text) => isSilentText(text, 80),
  "lib/text/sanitize/silent-reply.ts#silentReplyStep": (text) => throughStep(text, silentReplyStep(80)),
  "lib/text/sanitize/silent-reply.ts#withoutToken": withoutToken,
  "lib/text/sanitize/tag-scanner.ts#tagScanner": (text) => {
    const scanner = tagScanner(["think", "final"]);
    inTokens(text, (piece) => scanner.push(piece));
    scanner.end();
  },
  "lib/text/scan/fold-text.ts#foldText": foldText,
  "lib/text/scan/scan-input.ts#scanInput": scanInput,
};
