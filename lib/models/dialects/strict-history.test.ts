import { describe, expect, it } from "vitest";
import { repairHistory } from "@/lib/context/history/repair";
import { PLAIN_DIALECT, toProviderPrompt } from "@/lib/models/wire/to-provider-prompt";
import type { Traits } from "@/lib/schema/dialect";
import type { Message } from "@/lib/schema/messages/message";
import { presetOf } from "./dialect-presets";
import { writeMessages } from "./write-messages";

type Json = Readonly<Record<string, unknown>>;
interface Sent extends Json {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const BYTES = Buffer.from("picture");
const picture = { path: "a.png", mediaType: "image/png" as const, hash: "h", sizeBytes: BYTES.length };

/** Numbers that look random and are the same each time. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What threads consist of after failures, stops, steering, denials, kills and changes of the model. */
function historyOf(seed: number): Message[] {
  const random = randomOf(seed);
  const messages: Message[] = [];
  const length = 1 + random(12);
  for (let at = 0; at < length; at += 1) addTurn(messages, random, at);
  const last = messages.at(-1);
  if (last?.role === "assistant" && last.toolCalls.length === 0) messages.push({ role: "user", content: "Continue." });
  return messages;
}

const IDS = ["call_1", "chatcmpl-tool-9", "toolu_01AbC", "", "abcdefghi", `call_1__thought__${"x".repeat(900)}`];

function addTurn(messages: Message[], random: (below: number) => number, at: number): void {
  const kind = random(8);
  if (kind < 2) messages.push({ role: "user", content: `Question ${at}` });
  else if (kind === 2) messages.push({ role: "user", content: "", images: [picture] });
  else if (kind === 3) messages.push({ role: "assistant", content: `Answer ${at}`, toolCalls: [] });
  else if (kind === 4) messages.push({ role: "assistant", content: "", toolCalls: [] });
  else if (kind === 5) messages.push({ role: "system", content: `Notice ${at}` });
  else {
    const toolCalls = Array.from({ length: 1 + random(3) }, (_, nth) => ({
      ...{ id: `${IDS[random(IDS.length)]}${at}${nth}`, name: "ls", args: {}, rawArgs: "{}" },
    }));
    messages.push({ role: "assistant", content: random(2) === 0 ? "" : "I look.", toolCalls });
    for (const { id } of toolCalls.slice(random(2))) {
      const shown = random(4) === 0 ? { images: [picture] } : {};
      messages.push({ role: "tool", toolCallId: id, name: "ls", content: random(4) === 0 ? "" : "found", ...shown });
    }
  }
}

function sentOf(history: readonly Message[], traits: Traits): readonly Sent[] {
  const { messages } = repairHistory(history);
  const request = {
    system: [{ name: "own", text: "Be brief." }],
    messages,
    tools: [],
    maxTokens: 10,
    temperature: null,
  };
  const images = { canSee: true, bytes: new Map([["h", new Uint8Array(BYTES)]]), leftOut: "" };
  const prompt = toProviderPrompt(request, { ...PLAIN_DIALECT, reasoningNamespace: "chat" }, images);
  return writeMessages(prompt, { traits, needs: {}, writer: "w" }).messages as readonly Sent[];
}

/** What a strict chat template or server says; null if it takes the messages. */
function refusalOf(messages: readonly Sent[], traits: Traits): string | null {
  const turns = messages.filter(({ role }, at) => !(at === 0 && role === "system"));
  if (turns[0]?.role !== "user") return "the first turn must be the user's";
  const ids = turns.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  if (traits.ids === "nine" && ids.some((id) => !/^[a-zA-Z0-9]{9}$/.test(id))) return "ids must have nine characters";
  if (new Set(ids).size < ids.length) return "ids must be unique";
  if (!["user", "tool"].includes(turns.at(-1)?.role ?? "")) return "the last turn must be the user's";
  for (const [at, turn] of turns.entries()) {
    const problem = problemOf(turn, turns.slice(0, at));
    if (problem !== null) return `${at}: ${problem}`;
  }
  return null;
}

function problemOf(turn: Sent, before: readonly Sent[]): string | null {
  const previous = before.at(-1);
  if (isEmpty(turn)) return "content must not be empty";
  if (!["user", "assistant", "tool"].includes(turn.role)) return `unexpected role ${turn.role}`;
  const caller = before.findLast(({ role }) => role !== "tool");
  const answered = before.length - 1 - before.findLastIndex(({ role }) => role !== "tool");
  const expected = caller?.tool_calls?.[answered]?.id;
  if (turn.role === "tool") return turn.tool_call_id === expected ? null : "a result must follow its call";
  if (expected !== undefined && before.length > 0) return "every call needs its result";
  if (turn.role === "user" && previous?.role !== "assistant" && previous !== undefined) return "roles must alternate";
  return turn.role === "assistant" && previous?.role === "assistant" ? "roles must alternate" : null;
}

function isEmpty({ role, content, tool_calls: calls }: Sent): boolean {
  if (role === "assistant" && calls) return false;
  if (Array.isArray(content)) return content.length === 0 || content.some((part) => part.text === "");
  return typeof content !== "string" || content.trim() === "";
}

const STRICT = { roles: "strict", ids: "nine", toolThenUser: false } as const;

describe.each<[string, Traits]>([
  ["a strict template", { ...presetOf("standard").traits, ...STRICT }],
  ["a strict template without a system role", { ...presetOf("llama.cpp").traits, ...STRICT, systemRole: "user" }],
  ["Mistral behind a strict template", { ...presetOf("mistral").traits, roles: "strict" }],
])("%s", (_, traits) => {
  it("takes whatever a thread has become", () => {
    const refused = Array.from({ length: 3_000 }, (_none, seed) => seed).flatMap((seed) => {
      const sent = sentOf(historyOf(seed), traits);
      const refusal = refusalOf(sent, traits);
      return refusal === null ? [] : [`${seed}: ${refusal}\n${JSON.stringify(sent)}`];
    });
    expect(refused.slice(0, 3)).toEqual([]);
  });
});

it("an id that a gateway made long is short for a server that counts, and whole for others", () => {
  const id = `call_1__thought__${"x".repeat(900)}`;
  const history: Message[] = [
    { role: "user", content: "Look" },
    { role: "assistant", content: "", toolCalls: [{ id, name: "ls", args: {}, rawArgs: "{}" }] },
    { role: "tool", toolCallId: id, name: "ls", content: "found" },
  ];
  const idsOf = (traits: Traits) =>
    sentOf(history, traits).flatMap(({ tool_calls: calls = [], tool_call_id: own }) => [
      ...calls.map((call) => call.id),
      ...(own === undefined ? [] : [own]),
    ]);
  const [call = "", result] = idsOf(presetOf("openai").traits);
  expect(call.length).toBeLessThanOrEqual(40);
  expect(result).toBe(call);
  expect(idsOf(presetOf("standard").traits)).toEqual([id, id]);
});
