import { z } from "zod";

/** Opaque data a provider wants back with the next request (thinking signatures and the like). */
export const ProviderMetadata = z.record(z.string(), z.record(z.string(), z.unknown()));
export type ProviderMetadata = z.infer<typeof ProviderMetadata>;

/**
 * The model's request to run a tool (S0 ToolCall). `rawArgs` is the text exactly as the model wrote it: it is stored
 * and counted (D-7), never shown. `argsError` is set if that text is not a JSON object; `args` is then empty.
 */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  rawArgs: z.string(),
  argsError: z.string().optional(),
  /** The own names of arguments that the provider was sent under others; only while `args` are not read. */
  argumentNames: z.record(z.string(), z.string()).optional(),
  /** Where `args` were read as another type than the model wrote, such as a number in quotes; absent if nowhere. */
  coerced: z.array(z.string()).optional(),
  /** The model wrote the call as text: a person is asked, unless it only reads here. */
  fromText: z.literal(true).optional(),
  providerMetadata: ProviderMetadata.optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const Reasoning = z.object({ text: z.string(), providerMetadata: ProviderMetadata.optional() });
export type Reasoning = z.infer<typeof Reasoning>;

/** The types of pictures that models read, and those that people send all the same. */
const IMAGE_TYPES = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/heic",
  "image/avif",
  "image/tiff",
  "image/bmp",
] as const;

/** Why no model is shown a picture. `refused`: a provider rejected a request with it. */
export const PictureProblem = z.enum(["damaged", "too_many_pixels", "unknown_kind", "refused"]);
export type PictureProblem = z.infer<typeof PictureProblem>;

/**
 * A picture in a message. The message holds no bytes: they are stored once, under `hash` (SHA-256, hex), which is null
 * for a picture that is too large for a model or has a problem. `path` is where it was in the workspace.
 */
export const ImageRef = z.object({
  path: z.string(),
  mediaType: z.enum(IMAGE_TYPES),
  hash: z.string().nullable(),
  sizeBytes: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
  problem: PictureProblem.optional(),
});
export type ImageRef = z.infer<typeof ImageRef>;

export const MessageRole = z.enum(["system", "user", "assistant", "tool"]);
export type MessageRole = z.infer<typeof MessageRole>;

/** One message of the model's history. `id` is the stored row's; messages built in a test may lack it. */
export const Message = z.discriminatedUnion("role", [
  z.object({ id: z.string().optional(), role: z.literal("system"), content: z.string() }),
  z.object({
    id: z.string().optional(),
    role: z.literal("user"),
    content: z.string(),
    images: z.array(ImageRef).optional(),
  }),
  z.object({
    id: z.string().optional(),
    role: z.literal("assistant"),
    content: z.string(),
    toolCalls: z.array(ToolCall),
    reasoning: z.array(Reasoning).optional(),
  }),
  z.object({
    id: z.string().optional(),
    role: z.literal("tool"),
    content: z.string(),
    toolCallId: z.string(),
    name: z.string(),
    isError: z.boolean().optional(),
    images: z.array(ImageRef).optional(),
  }),
]);
export type Message = z.infer<typeof Message>;
export type SystemMessage = Extract<Message, { role: "system" }>;
export type UserMessage = Extract<Message, { role: "user" }>;
export type AssistantMessage = Extract<Message, { role: "assistant" }>;
export type ToolMessage = Extract<Message, { role: "tool" }>;

/** A caller's message: `assistant` and `tool` are refused from outside (S0, D-33). */
export const InputMessage = z.strictObject({
  role: z.enum(["user", "system"], { error: 'role must be "user" or "system"' }),
  content: z.string().min(1, "content must not be empty"),
});
export type InputMessage = z.infer<typeof InputMessage>;
