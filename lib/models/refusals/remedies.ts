import type { ModelRequest } from "@/lib/agent/model";
import type { ProviderRefusal } from "@/lib/models/failures/provider-failure";
import { outputRoom } from "@/lib/models/failures/stated-length";
import { checksum } from "@/lib/schema/checksum";
import type { Message, PictureProblem } from "@/lib/schema/messages/message";
import type { RefusedTool } from "@/lib/schema/providers/provider-refusals";
import type { ToolSchema } from "@/lib/schema/tools/tool";
import type { Plainness } from "./plain-history";
import type { ModelRefusals } from "./refusal-memory";
import { shownHashes } from "./sound-pictures";

/** What is sent of a request. */
export interface Sending {
  readonly unshown: ReadonlyMap<string, PictureProblem>;
  /** Null: as the memory says. */
  readonly plain: { readonly plainness: Plainness; readonly messages: readonly Message[] } | null;
  readonly tools: readonly RefusedTool[];
  /** Null: as the agent says. */
  readonly maxTokens: number | null;
}

/** What happens between a refusal and the next attempt. */
export interface Remedy {
  readonly sending: Sending;
  /** What is done, for the line about the attempt: "It is asked again …". */
  readonly how: string;
  /** For the reply, if the attempt succeeds. */
  readonly notice: string;
}

export interface Refused {
  readonly refusal: ProviderRefusal;
  /** As the run asked; without what has been found damaged. */
  readonly request: ModelRequest;
  readonly sending: Sending;
  readonly refusals: ModelRefusals;
  readonly provider: string;
  readonly model: string;
  readonly seesPictures: boolean;
}

/** Statuses of requests that are wrong in themselves. */
const AT_FAULT = new Set([400, 413, 415, 422]);
const NAMES_PICTURES =
  /\b(?:images?|pictures?|photos?|image_url|input_image|inline_?data|vision|multimodal|base64|media[ _]?type|mime ?type|data ur[il]s?|jpe?g|png|gif|webp|pixels?)\b|图[片像]/i;
const NAMES_HISTORY =
  /\b(?:messages?|input|contents?|history|conversation)\b[^a-z]{0,3}[[.]\s?\d|\b(?:tool_calls?|tool_use|tool_results?|tool messages?|function_?call(?:_output)?s?|tool call|function call|call_id|thinking|thoughts?|signature|thought_signature|reasoning\w*|encrypted_content|arguments|content (?:block|part|field)s?|unknown part|audio|file_?data|document)\b/i;
/** Words that blame nothing: anything may be meant. */
const MAX_EMPTY_CHARS = 60;
const BLAMES_OTHER =
  /model|key|temperature|top_p|max_|stream|effort|schema|credit|quota|auth|permission|unsupported param/i;

/** The next attempt after a refusal; null if there is none that may help. Each one sends less, so that they end. */
export function remedyFor(refused: Refused): Remedy | null {
  const { refusal } = refused;
  const shorter = shorterAnswer(refused);
  if (shorter) return shorter;
  if (refusal.meaning !== "other") return null;
  if (refusal.tool !== undefined) return withoutTool(refused, refusal.tool);
  return withoutPictures(refused) ?? (AT_FAULT.has(refusal.status) ? plainer(refused) : null);
}

/** Where the refusal counts the output limit, a lower one makes room. Once: it says how much. */
function shorterAnswer({ refusal, request, sending }: Refused): Remedy | null {
  const isAboutLength = refusal.meaning === "too long" || (refusal.meaning === "other" && AT_FAULT.has(refusal.status));
  const maxTokens = isAboutLength && sending.maxTokens === null ? outputRoom(refusal.words, request.maxTokens) : null;
  if (maxTokens === null) return null;
  return {
    sending: { ...sending, maxTokens },
    how: `for ${maxTokens} tokens at most`,
    notice: `The model has room for an answer of ${maxTokens} tokens, not of ${request.maxTokens} (max_tokens).`,
  };
}

/**
 * First without the pictures that this model has not taken before, then without any. A refusal that blames nothing else
 * may also mean a picture.
 */
function withoutPictures({ refusal, request, sending, refusals, seesPictures }: Refused): Remedy | null {
  if (!seesPictures) return null;
  const shown = shownHashes(request).filter((hash) => !sending.unshown.has(hash));
  const fresh = shown.filter((hash) => !refusals.taken.has(hash));
  const isNamed = NAMES_PICTURES.test(refusal.words) || refusal.status === 413 || refusal.status === 415;
  const mayBe = AT_FAULT.has(refusal.status) && saysNothing(refusal.words);
  if (shown.length === 0 || !(isNamed || (mayBe && fresh.length > 0))) return null;
  const left = fresh.length > 0 ? fresh : shown;
  const refusedOnes = left.map((hash): [string, PictureProblem] => [hash, "refused"]);
  return {
    sending: { ...sending, unshown: new Map([...sending.unshown, ...refusedOnes]) },
    how: left.length === 1 ? "without the picture" : `without ${left.length} pictures`,
    notice: "",
  };
}

/** First without what only its writer understands, then the earlier turns as text, then all of them. */
function plainer({ refusal, request, sending }: Refused): Remedy | null {
  if (!NAMES_HISTORY.test(refusal.words) && !saysNothing(refusal.words)) return null;
  const { messages } = request;
  const turn = messages.findLastIndex(({ role }) => role === "user");
  const written = messages.filter(isWritten);
  const earlier = messages.slice(0, turn).filter(isWritten);
  const steps: NonNullable<Sending["plain"]>[] = [
    { plainness: "bare", messages: written.some(hasOwnParts) ? written : [] },
    { plainness: "text", messages: earlier.some(hasCalls) ? earlier : [] },
    { plainness: "text", messages: written.some(hasCalls) ? written : [] },
  ];
  const done = sending.plain === null ? -1 : steps.findIndex((step) => isSame(step, sending.plain));
  const next = steps.slice(done + 1).find((step) => step.messages.length > 0 && !isSame(step, sending.plain));
  if (next === undefined) return null;
  return {
    sending: { ...sending, plain: next },
    how: next.plainness === "bare" ? "without the model's earlier thoughts" : "with earlier calls as text",
    notice:
      next.plainness === "bare"
        ? "The provider refused earlier thoughts of the model. They are no longer sent to it."
        : "The provider refused earlier tool calls of this conversation. They are sent to it as text.",
  };
}

function isSame(one: NonNullable<Sending["plain"]>, other: Sending["plain"]): boolean {
  return other !== null && one.plainness === other.plainness && one.messages.length === other.messages.length;
}

function isWritten({ role }: Message): boolean {
  return role === "assistant" || role === "tool";
}

function hasOwnParts(message: Message): boolean {
  if (message.role !== "assistant") return false;
  return (
    (message.reasoning ?? []).length > 0 ||
    message.toolCalls.some(({ providerMetadata }) => providerMetadata !== undefined)
  );
}

function hasCalls(message: Message): boolean {
  return message.role === "tool" || (message.role === "assistant" && message.toolCalls.length > 0);
}

function saysNothing(words: string): boolean {
  return words.length <= MAX_EMPTY_CHARS && !BLAMES_OTHER.test(words);
}

const MOST_REFUSED_TOOLS = 3;

function withoutTool({ refusal, request, sending, provider, model }: Refused, name: string): Remedy | null {
  const tool = request.tools.find((entry) => entry.name === name);
  const isLeftOut = sending.tools.some((entry) => entry.tool === name);
  if (!tool || isLeftOut || sending.tools.length >= MOST_REFUSED_TOOLS) return null;
  const words = refusal.words.slice(0, 500);
  return {
    sending: {
      ...sending,
      tools: [...sending.tools, { provider, model, tool: name, schemaChecksum: schemaChecksum(tool), words }],
    },
    how: `without the tool ${name}`,
    notice: `The provider ${provider} does not accept the tool ${name}. It is left out for ${model} until the tool changes.`,
  };
}

/** Whether the tool is still as it was when its provider refused it. */
export function isStillRefused({ tool: name, schemaChecksum: sum }: RefusedTool, tool: ToolSchema): boolean {
  return name === tool.name && sum === schemaChecksum(tool);
}

function schemaChecksum({ name, description, parameters }: ToolSchema): string {
  return checksum([name, description, parameters]);
}
