/** An event of a chat completion stream that the next one can still be merged into. */
export interface OpenEvent {
  readonly raw: string;
  readonly chunk: Chunk;
  /**
   * `opening`: only names the role. `piece`: adds to one text, reasoning or call. `finish`: the finish reason, even
   * after it was merged into a piece. `usage`: the token usage, likewise.
   */
  kind: "opening" | "piece" | "finish" | "usage";
  piece: Piece | undefined;
  isChanged: boolean;
}

interface Piece {
  /** The target of the event; events with the same key can be joined. */
  readonly key: string;
  /** The first piece of a call, which contains its name. */
  readonly begins: boolean;
  text: string;
}

interface Chunk {
  readonly choices?: readonly Choice[];
  usage?: unknown;
}

interface Choice {
  readonly delta?: Delta | null;
  finish_reason?: unknown;
}

interface Delta {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: readonly ToolCallDelta[] | null;
  readonly refusal?: unknown;
}

interface ToolCallDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; arguments?: unknown } | null;
}

const TEXT_FIELDS = ["content", "reasoning_content", "reasoning"] as const;
/** Fields that servers send in every event; an event with any other field is left unchanged. */
const COMMON_FIELDS = [
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "system_fingerprint",
  "service_tier",
  "provider",
];
const CHOICE_FIELDS = ["index", "delta", "finish_reason", "native_finish_reason", "logprobs"];
const DELTA_FIELDS = ["role", "tool_calls", "refusal", ...TEXT_FIELDS];

/** Undefined for events that must pass unchanged: another shape, several choices, an error, a refusal, non-JSON. */
export function readEvent(raw: string): OpenEvent | undefined {
  if (!raw.startsWith("data: {") || raw.includes("\n") || raw.includes("\r")) return undefined;
  const chunk = parse(raw.slice("data: ".length));
  if (!chunk || !hasOnly(chunk, COMMON_FIELDS) || !Array.isArray(chunk.choices)) return undefined;
  const found = chunk.usage ? readUsage(chunk) : readChoice(chunk.choices);
  return found && { raw, chunk, isChanged: false, ...found };
}

/** Merges `next`, which arrived together with `open`, into it; false if `next` must stay a separate event. */
export function join(open: OpenEvent, next: OpenEvent): boolean {
  if (open.kind === "opening" && (next.kind === "piece" || next.kind === "finish")) {
    Object.assign(open, next);
    return true;
  }
  const isJoined = joinPiece(open, next) || joinFinish(open, next) || joinUsage(open, next);
  if (isJoined) open.isChanged = true;
  return isJoined;
}

export function write({ raw, chunk, piece, isChanged }: OpenEvent): string {
  if (!isChanged) return raw;
  const delta = chunk.choices?.[0]?.delta;
  const call = delta?.tool_calls?.[0]?.function;
  if (piece && call) call.arguments = piece.text;
  else if (piece && delta) delta[piece.key as (typeof TEXT_FIELDS)[number]] = piece.text;
  return `data: ${JSON.stringify(chunk)}`;
}

function joinPiece(open: OpenEvent, next: OpenEvent): boolean {
  if (open.kind !== "piece" || !open.piece || !next.piece) return false;
  if (next.piece.begins || next.piece.key !== open.piece.key) return false;
  open.piece.text += next.piece.text;
  return true;
}

function joinFinish(open: OpenEvent, next: OpenEvent): boolean {
  const [choice] = open.chunk.choices ?? [];
  if (open.kind !== "piece" || next.kind !== "finish" || !choice) return false;
  choice.finish_reason = next.chunk.choices?.[0]?.finish_reason;
  open.kind = "finish";
  return true;
}

function joinUsage(open: OpenEvent, next: OpenEvent): boolean {
  if (open.kind !== "finish" || next.kind !== "usage") return false;
  open.chunk.usage = next.chunk.usage;
  open.kind = "usage";
  return true;
}

type Found = Pick<OpenEvent, "kind" | "piece">;

function readUsage({ choices }: Chunk): Found | undefined {
  return choices?.length === 0 ? { kind: "usage", piece: undefined } : undefined;
}

function readChoice([choice, ...others]: readonly Choice[]): Found | undefined {
  if (!choice?.delta || others.length > 0 || !hasOnly(choice, CHOICE_FIELDS)) return undefined;
  const { delta, finish_reason: finishReason } = choice;
  if (!hasOnly(delta, DELTA_FIELDS) || delta.refusal) return undefined;
  const filled = TEXT_FIELDS.filter(
    (field) => delta[field] !== undefined && delta[field] !== null && delta[field] !== "",
  );
  const isEmpty = filled.length === 0 && !delta.tool_calls?.length;
  if (finishReason) return isEmpty ? { kind: "finish", piece: undefined } : undefined;
  if (isEmpty) return { kind: "opening", piece: undefined };
  const piece = delta.tool_calls?.length ? readCall(delta.tool_calls, filled.length) : readText(delta, filled);
  return piece && { kind: "piece", piece };
}

function readText(delta: Delta, filled: readonly (typeof TEXT_FIELDS)[number][]): Piece | undefined {
  const [key] = filled;
  const text = key === undefined ? undefined : delta[key];
  return typeof text === "string" && key !== undefined && filled.length === 1
    ? { key, begins: false, text }
    : undefined;
}

function readCall([call, ...others]: readonly ToolCallDelta[], textCount: number): Piece | undefined {
  if (others.length > 0 || textCount > 0 || call?.index === undefined) return undefined;
  const text = call.function?.arguments;
  const begins = Boolean(call.id || call.function?.name);
  return typeof text === "string" ? { key: `call ${call.index}`, begins, text } : undefined;
}

function hasOnly(value: object, fields: readonly string[]): boolean {
  return Object.entries(value).every(([field, found]) => found === null || fields.includes(field));
}

/** Text that is not JSON passes through, so that the AI SDK reports it. */
function parse(text: string): Chunk | undefined {
  try {
    return JSON.parse(text) as Chunk;
  } catch {
    return undefined;
  }
}
