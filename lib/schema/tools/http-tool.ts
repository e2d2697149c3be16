import { z } from "zod";
import { newSecret } from "@/lib/schema/new-secret";
import { storedText } from "@/lib/schema/plain-text";
import { HttpToolName } from "./http-tool-name";
import { RequestTool } from "./request-tool";

/** POST `/agents/tools/register`. `parameters` is a JSON Schema whose type is object. */
export const RegisterToolBody = z.strictObject({
  name: HttpToolName,
  description: storedText(4_000).min(1),
  parameters: z.record(z.string(), z.unknown()),
  callback_url: z.url().max(2_000),
  read_only: z.boolean().default(false),
  /** Signs every call; write-only. `{set: true}` keeps the stored one. */
  secret: z.union([newSecret(500), z.strictObject({ set: z.literal(true) })]).optional(),
  /** `updated_at` of the tool being replaced, null for a new one; 409 if the tool has been saved since. */
  updated_at: z.iso.datetime().nullable().optional(),
});
export type RegisterToolBody = z.infer<typeof RegisterToolBody>;

export const RegisteredTool = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  callback_url: z.string(),
  read_only: z.boolean(),
  signed: z.boolean(),
  updated_at: z.string(),
});
export type RegisteredTool = z.infer<typeof RegisteredTool>;

/** A tool that was registered with a callback, which gets every call as `{name, args}`. */
export const CallbackTool = RegisteredTool.extend({ kind: z.literal("callback") });
export type CallbackTool = z.infer<typeof CallbackTool>;

export const HttpTool = z.discriminatedUnion("kind", [CallbackTool, RequestTool]);
export type HttpTool = z.infer<typeof HttpTool>;

export const HttpToolList = z.object({ httpTools: z.array(HttpTool), nextCursor: z.string().nullable() });
export type HttpToolList = z.infer<typeof HttpToolList>;

/** POST `/api/http-tools/{name}/test`: one real call, as an agent would make it. */
export const TestHttpToolBody = z.strictObject({ args: z.record(z.string(), z.unknown()).default({}) });

/**
 * `output` is what a model would read; `error` is what it would read instead. `answer` is what the service really
 * answered, its text cut at 100,000 characters; absent if none came.
 */
export const TestHttpToolReply = z.object({
  ok: z.boolean(),
  output: z.string(),
  error: z.string().optional(),
  answer: z.object({ status: z.number(), contentType: z.string(), text: z.string() }).optional(),
  durationMs: z.number(),
});
export type TestHttpToolReply = z.infer<typeof TestHttpToolReply>;

/** A callback's answer. */
export const CallbackAnswer = z.union([
  z.object({ error: z.string().min(1) }),
  z.object({ result: z.unknown(), for_user: z.string().optional() }),
]);
