import { z } from "zod";

const part = <Type extends string>(type: Type) => z.object({ type: z.literal(type), id: z.string() });
const delta = <Type extends string>(type: Type) => part(type).extend({ delta: z.string() });
const Metadata = z.record(z.string(), z.unknown());
const metadata = { messageMetadata: Metadata.optional() };

const ReplyChunk = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), messageId: z.string().optional(), ...metadata }),
  z.object({ type: z.literal("message-metadata"), messageMetadata: Metadata }),
  z.object({ type: z.literal("finish"), finishReason: z.string().optional(), ...metadata }),
  z.object({ type: z.literal("abort"), reason: z.string().optional() }),
  z.object({ type: z.literal("error"), errorText: z.string() }),
  z.object({ type: z.enum(["start-step", "finish-step", "reset-step"]) }),
  part("text-start"),
  delta("text-delta"),
  part("text-end"),
  part("reasoning-start"),
  delta("reasoning-delta"),
  part("reasoning-end"),
  z.object({ type: z.literal("tool-input-start"), toolCallId: z.string(), toolName: z.string() }),
  z.object({ type: z.literal("tool-input-delta"), toolCallId: z.string(), inputTextDelta: z.string() }),
  z.object({
    type: z.literal("tool-input-available"),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
  }),
  z.object({ type: z.literal("tool-output-available"), toolCallId: z.string(), output: z.unknown() }),
  z.object({ type: z.literal("tool-output-error"), toolCallId: z.string(), errorText: z.string() }),
]);
type ReplyChunk = z.infer<typeof ReplyChunk>;

/** `data-<name>`; with an id it replaces the earlier part with that id. `data` is as in DATA_PARTS. */
const DataChunk = z.object({
  type: z.templateLiteral(["data-", z.string()]),
  id: z.string().optional(),
  data: z.unknown(),
});
export type DataChunk = z.infer<typeof DataChunk>;

/** An event of `GET /api/runs/{id}/stream`: the chunks of the AI SDK's UI message stream that our projection emits. */
export const UiChunk = z.union([ReplyChunk, DataChunk]);
export type UiChunk = ReplyChunk | DataChunk;
export type ReplyChunkType = ReplyChunk["type"];
export type ReplyChunkOf<Type extends ReplyChunkType> = Extract<ReplyChunk, { type: Type }>;
