import { readPartialObject } from "./partial-json";
import type { DataChunk, ReplyChunkOf, ReplyChunkType, UiChunk } from "./ui-chunk";

/** A part of a message, as the AI SDK's `UIMessage` has it. */
type Part = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A message under construction. `stepStart` is the index at which the current step's parts begin. */
export interface MessageDraft {
  id: string;
  readonly metadata: Record<string, unknown>;
  /** Each part is replaced when it changes, never modified: a copy of the list is a snapshot. */
  readonly parts: Part[];
  stepStart: number;
  /** Partial arguments of calls, by call id; parsed only when the message is shown. */
  readonly inputTexts: Map<string, string>;
}

type Fold<Type extends ReplyChunkType> = (draft: MessageDraft, chunk: ReplyChunkOf<Type>) => void;

const nothing = () => undefined;
const learn = (draft: MessageDraft, { messageMetadata }: { messageMetadata?: Record<string, unknown> | undefined }) =>
  void Object.assign(draft.metadata, messageMetadata);

const TABLE: { readonly [Type in ReplyChunkType]: Fold<Type> } = {
  start: (draft, chunk) => {
    if (chunk.messageId !== undefined) draft.id = chunk.messageId;
    learn(draft, chunk);
  },
  "message-metadata": learn,
  finish: learn,
  abort: nothing,
  error: nothing,
  "start-step": (draft) => {
    draft.parts.push({ type: "step-start" });
    draft.stepStart = draft.parts.length;
  },
  "finish-step": nothing,
  "reset-step": (draft) => {
    draft.parts.length = draft.stepStart;
    draft.inputTexts.clear();
  },
  "text-start": (draft) => void draft.parts.push({ type: "text", text: "", state: "streaming" }),
  "text-delta": (draft, { delta }) => write(draft, "text", delta),
  "text-end": (draft) => changeLast(draft, "text", { state: "done" }),
  "reasoning-start": (draft, { id }) => void draft.parts.push({ type: "reasoning", id, text: "", state: "streaming" }),
  "reasoning-delta": (draft, { delta }) => write(draft, "reasoning", delta),
  "reasoning-end": (draft) => changeLast(draft, "reasoning", { state: "done" }),
  "tool-input-start": (draft, { toolCallId, toolName }) =>
    putTool(draft, { type: "dynamic-tool", toolCallId, toolName, state: "input-streaming", input: undefined }),
  "tool-input-delta": ({ inputTexts }, { toolCallId, inputTextDelta }) =>
    void inputTexts.set(toolCallId, (inputTexts.get(toolCallId) ?? "") + inputTextDelta),
  "tool-input-available": (draft, { toolCallId, toolName, input }) => {
    draft.inputTexts.delete(toolCallId);
    putTool(draft, { type: "dynamic-tool", toolCallId, toolName, state: "input-available", input });
  },
  "tool-output-available": (draft, { toolCallId, output }) =>
    endTool(draft, toolCallId, { state: "output-available", output }),
  "tool-output-error": (draft, { toolCallId, errorText }) =>
    endTool(draft, toolCallId, { state: "output-error", errorText }),
};

export function newMessageDraft(): MessageDraft {
  return { id: "", metadata: {}, parts: [], stepStart: 0, inputTexts: new Map() };
}

/**
 * Adds one chunk to the message. After the last one the message equals what the AI SDK's `readUIMessageStream` returns
 * (a test compares the two); unlike this, `readUIMessageStream` copies the whole message for each chunk. The server
 * stores this result and the browser shows it as it arrives, so a reply looks the same live and reloaded.
 */
export function foldUiChunk(draft: MessageDraft, chunk: UiChunk): void {
  if (isData(chunk)) putData(draft, chunk);
  else (TABLE[chunk.type] as Fold<typeof chunk.type>)(draft, chunk as never);
}

/** The current state of the message. `parts` are the AI SDK's. */
export function draftedMessage({ id, metadata, parts, inputTexts }: MessageDraft) {
  const shown = inputTexts.size === 0 ? [...parts] : parts.map((part) => withInput(part, inputTexts));
  return { id, role: "assistant" as const, metadata: { ...metadata }, parts: shown };
}

/** A call whose arguments are still being written, with those received so far. */
function withInput(part: Part, inputTexts: MessageDraft["inputTexts"]): Part {
  const text = part.state === "input-streaming" ? inputTexts.get(String(part.toolCallId)) : undefined;
  return text === undefined ? part : { ...part, input: readPartialObject(text) ?? undefined };
}

function isData(chunk: UiChunk): chunk is DataChunk {
  return chunk.type.startsWith("data-");
}

function write(draft: MessageDraft, type: "text" | "reasoning", delta: string): void {
  const written = draft.parts.findLast((part) => part.type === type);
  changeLast(draft, type, { text: `${written?.text ?? ""}${delta}` });
}

function changeLast(draft: MessageDraft, type: "text" | "reasoning", change: object): void {
  const index = draft.parts.findLastIndex((part) => part.type === type);
  const part = draft.parts[index];
  if (part) draft.parts[index] = { ...part, ...change };
}

function findTool(draft: MessageDraft, toolCallId: unknown): number {
  return draft.parts.findIndex((part) => part.type === "dynamic-tool" && part.toolCallId === toolCallId);
}

function putTool(draft: MessageDraft, part: Part): void {
  const index = findTool(draft, part.toolCallId);
  if (index === -1) draft.parts.push(part);
  else draft.parts[index] = part;
}

function endTool(draft: MessageDraft, toolCallId: string, end: object): void {
  const index = findTool(draft, toolCallId);
  const part = draft.parts[index];
  if (part) draft.parts[index] = { ...part, ...end };
}

/** A data part with an id replaces the earlier one with that id in place. */
function putData(draft: MessageDraft, { type, id, data }: DataChunk): void {
  const part = id === undefined ? { type, data } : { type, id, data };
  const index =
    id === undefined ? -1 : draft.parts.findIndex((candidate) => candidate.type === type && candidate.id === id);
  if (index === -1) draft.parts.push(part);
  else draft.parts[index] = part;
}
