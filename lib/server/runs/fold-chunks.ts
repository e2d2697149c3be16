import type { ChatChunk, ChatMessage } from "./ui-projection-state";

type Part = ChatMessage["parts"][number];
type Chunk<Type extends ChatChunk["type"]> = Extract<ChatChunk, { type: Type }>;

/** A message while it is put together. `stepStart` is where the parts of the current step begin. */
interface Draft {
  id: string;
  metadata: Record<string, unknown>;
  parts: Part[];
  stepStart: number;
}

type Fold = (draft: Draft, chunk: never) => void;

const TABLE: { readonly [type: string]: Fold } = {
  start: (draft, { messageId, messageMetadata }: Chunk<"start">) => {
    if (messageId !== undefined) draft.id = messageId;
    Object.assign(draft.metadata, messageMetadata);
  },
  "message-metadata": (draft, { messageMetadata }: Chunk<"message-metadata">) => {
    Object.assign(draft.metadata, messageMetadata);
  },
  finish: (draft, { messageMetadata }: Chunk<"finish">) => {
    Object.assign(draft.metadata, messageMetadata);
  },
  "start-step": (draft) => {
    draft.parts.push({ type: "step-start" });
    draft.stepStart = draft.parts.length;
  },
  "reset-step": (draft) => {
    draft.parts.length = draft.stepStart;
  },
  "text-start": (draft) => void draft.parts.push({ type: "text", text: "", state: "streaming" }),
  "text-delta": (draft, { delta }: Chunk<"text-delta">) => write(draft, "text", delta),
  "text-end": (draft) => close(draft, "text"),
  "reasoning-start": (draft, { id }: Chunk<"reasoning-start">) =>
    void draft.parts.push({ type: "reasoning", id, text: "", state: "streaming" }),
  "reasoning-delta": (draft, { delta }: Chunk<"reasoning-delta">) => write(draft, "reasoning", delta),
  "reasoning-end": (draft) => close(draft, "reasoning"),
  "tool-input-start": (draft, { toolCallId, toolName }: Chunk<"tool-input-start">) =>
    putTool(draft, { type: "dynamic-tool", toolCallId, toolName, state: "input-streaming", input: undefined }),
  "tool-input-available": (draft, { toolCallId, toolName, input }: Chunk<"tool-input-available">) =>
    putTool(draft, { type: "dynamic-tool", toolCallId, toolName, state: "input-available", input }),
  "tool-output-available": (draft, { toolCallId, output }: Chunk<"tool-output-available">) =>
    endTool(draft, toolCallId, { state: "output-available", output }),
  "tool-output-error": (draft, { toolCallId, errorText }: Chunk<"tool-output-error">) =>
    endTool(draft, toolCallId, { state: "output-error", errorText }),
};

/**
 * The message that `readUIMessageStream` of the AI SDK gives for these chunks, of the kinds that our projection writes
 * (a test compares the two). The AI SDK copies the whole message for each chunk, which a long run feels at its end.
 */
export function foldChunks(chunks: Iterable<ChatChunk>): ChatMessage {
  const draft: Draft = { id: "", metadata: {}, parts: [], stepStart: 0 };
  for (const chunk of chunks) {
    if (chunk.type.startsWith("data-")) putData(draft, chunk as Part & { id?: string });
    else TABLE[chunk.type]?.(draft, chunk as never);
  }
  return { id: draft.id, role: "assistant", metadata: draft.metadata as ChatMessage["metadata"], parts: draft.parts };
}

function write(draft: Draft, type: "text" | "reasoning", delta: string): void {
  const part = draft.parts.findLast((candidate) => candidate.type === type);
  if (part?.type === type) part.text += delta;
}

function close(draft: Draft, type: "text" | "reasoning"): void {
  const part = draft.parts.findLast((candidate) => candidate.type === type);
  if (part?.type === type) part.state = "done";
}

type ToolPart = Extract<Part, { type: "dynamic-tool" }>;

function findTool(draft: Draft, toolCallId: string): number {
  return draft.parts.findIndex((part) => part.type === "dynamic-tool" && part.toolCallId === toolCallId);
}

function putTool(draft: Draft, part: ToolPart): void {
  const index = findTool(draft, part.toolCallId);
  if (index === -1) draft.parts.push(part);
  else draft.parts[index] = part;
}

function endTool(draft: Draft, toolCallId: string, end: object): void {
  const index = findTool(draft, toolCallId);
  const part = draft.parts[index];
  if (part) draft.parts[index] = { ...part, ...end } as Part;
}

/** A data part with an id replaces the earlier one of that id where it stands. */
function putData(draft: Draft, chunk: Part & { id?: string }): void {
  const { type, id } = chunk;
  const index =
    id === undefined ? -1 : draft.parts.findIndex((part) => part.type === type && "id" in part && part.id === id);
  if (index === -1) draft.parts.push(chunk);
  else draft.parts[index] = chunk;
}
