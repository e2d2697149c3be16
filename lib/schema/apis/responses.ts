import { z } from "zod";
import { messageText, sentMessages } from "@/lib/schema/messages/text-limits";
import { CHAT_MESSAGES, refusedRole, withKnownRole } from "./openai";
import { agentsOwn, asksForNone, flag, NO_TOOLS, textFormat, withoutEmpty } from "./sent-values";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An item of an earlier response, by its id. */
const ItemReference = z.looseObject({ role: z.literal("item_reference"), id: z.string().max(300) });

/** A call that a server made itself, with its result. */
const ServerCall = z.looseObject({
  role: z.literal("mcp_call"),
  name: z.string().max(200),
  arguments: z.unknown(),
  output: z.string().nullish(),
  error: z.unknown(),
});

/** What another model kept for itself, such as its thoughts, and what no agent reads. */
const PassedOver = z.looseObject({ role: z.literal("passed_over") });

/**
 * One item of the input, told apart by `role`: a message, a call or its result from a conversation that another model
 * began, or a reference. Items correspond one to one to what was sent.
 */
const InputItem = z.preprocess(
  toMessage,
  z.discriminatedUnion("role", [...CHAT_MESSAGES, ItemReference, ServerCall, PassedOver], { error: refusedRole }),
);
export type InputItem = z.output<typeof InputItem>;

function toMessage(item: unknown): unknown {
  if (typeof item === "string") return { role: "user", content: item };
  if (!isFields(item) || typeof item.role === "string") return withKnownRole(item);
  const { type } = item;
  if (typeof type !== "string" || type === "message") return item;
  if (type === "item_reference" || type === "mcp_call") return { ...item, role: type };
  if (type.endsWith("_output")) return { role: "tool", tool_call_id: item.call_id, content: item.output };
  const called = type.endsWith("_call") ? calledBy(type, item) : null;
  return called === null ? { ...item, role: "passed_over" } : { role: "assistant", tool_calls: [called] };
}

/** A call for the client's own tools; null for one that the other server answered itself. */
function calledBy(type: string, { call_id: id, name, arguments: sent, input, action }: Fields): object | null {
  if (typeof id !== "string") return null;
  return { id, function: { name: typeof name === "string" ? name : type, arguments: sent ?? input ?? action ?? {} } };
}

/** Some clients send a single item, or text. */
function listed(input: unknown): unknown {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return isFields(input) ? [input] : input;
}

const isNothing = (sent: unknown) => sent === null || sent === undefined || sent === "" || sent === false;

/** A field of which only the default is taken. */
const unsupported = (sentence: string) => z.unknown().refine(isNothing, { error: sentence }).optional();

const MAX_PAIRS = 16;
const PAIRS = `metadata must have at most ${MAX_PAIRS} pairs of text: names up to 64 characters, values up to 512`;
const Metadata = z
  .record(z.string().max(64, PAIRS), z.string(PAIRS).max(512, PAIRS))
  .refine((pairs) => Object.keys(pairs).length <= MAX_PAIRS, PAIRS);

/** POST `/v1/responses`; fields not named here are ignored. A default that asks for nothing is none. */
export const ResponseBody = z
  .looseObject({
    model: z.string().trim().min(1).max(200),
    input: z.preprocess(listed, sentMessages(z.array(InputItem).min(1).max(2_000))),
    instructions: z.preprocess(
      (sent) => (typeof sent === "string" && sent.trim() === "" ? null : sent),
      messageText(z.string().nullish()),
    ),
    previous_response_id: z.preprocess((id) => (id === "" ? null : id), z.string().max(200).nullish()),
    /** False: the response can be neither read nor continued later. */
    store: flag,
    stream: flag,
    metadata: z.preprocess(withoutEmpty, Metadata.nullish()),
    tools: agentsOwn(NO_TOOLS),
    text: z.preprocess(withoutEmpty, z.looseObject({ format: textFormat("text.format") }).nullish()),
    background: unsupported("background is not supported: send the request without it, and stream the response"),
    conversation: unsupported("There are no conversations here: continue a response with previous_response_id"),
    prompt: unsupported("There are no stored prompts here: the agent has its own"),
  })
  .refine(({ tools, tool_choice }) => asksForNone(tools, tool_choice), { path: ["tools"], error: NO_TOOLS });
export type ResponseBody = z.output<typeof ResponseBody>;

const ItemStatus = z.enum(["in_progress", "completed", "incomplete"]);

const OutputText = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
});

/** The text of one step. */
const OutputMessage = z.object({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  status: ItemStatus,
  content: z.array(OutputText),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

/** A tool call of the agent, in the only form that clients know as already made by the server. */
const OutputCall = z.object({
  id: z.string(),
  type: z.literal("mcp_call"),
  server_label: z.literal("ringmaster"),
  name: z.string(),
  /** JSON. */
  arguments: z.string(),
  status: z.enum([...ItemStatus.options, "failed"]),
  output: z.string().nullable(),
  error: z.string().nullable(),
  approval_request_id: z.null(),
});
export type OutputCall = z.infer<typeof OutputCall>;

export const OutputItem = z.discriminatedUnion("type", [OutputMessage, OutputCall]);
export type OutputItem = z.infer<typeof OutputItem>;

export const ResponseUsage = z.object({
  input_tokens: z.number(),
  input_tokens_details: z.object({ cached_tokens: z.number() }),
  output_tokens: z.number(),
  output_tokens_details: z.object({ reasoning_tokens: z.number() }),
  total_tokens: z.number(),
  /** Our extension: the counts contain estimates (D-84). */
  estimated: z.literal(true).optional(),
});
export type ResponseUsage = z.infer<typeof ResponseUsage>;

export const ResponseStatus = z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]);
export type ResponseStatus = z.infer<typeof ResponseStatus>;

export const ResponseError = z.object({ code: z.string(), message: z.string() });
export type ResponseError = z.infer<typeof ResponseError>;

/** OpenAI's Response. Settings that are the agent's have the value for "not set", whatever the request said. */
export const ResponseObject = z.object({
  id: z.string(),
  object: z.literal("response"),
  /** Unix time in seconds. */
  created_at: z.number(),
  completed_at: z.number().nullable(),
  status: ResponseStatus,
  error: ResponseError.nullable(),
  incomplete_details: z.object({ reason: z.literal("max_output_tokens") }).nullable(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  output: z.array(OutputItem),
  previous_response_id: z.string().nullable(),
  store: z.boolean(),
  /** Null until the end, and if the usage of any model call is unknown. */
  usage: ResponseUsage.nullable(),
  background: z.literal(false),
  max_output_tokens: z.null(),
  parallel_tool_calls: z.literal(true),
  reasoning: z.object({ effort: z.null(), summary: z.null() }),
  temperature: z.null(),
  text: z.object({ format: z.object({ type: z.literal("text") }) }),
  tool_choice: z.literal("auto"),
  tools: z.array(z.never()),
  top_p: z.null(),
  truncation: z.literal("disabled"),
});
export type ResponseObject = z.infer<typeof ResponseObject>;

export const DeletedResponse = z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) });

/** GET `/v1/responses/{id}`; other names are ignored. */
export const ResponseQuery = z.looseObject({
  stream: flag.refine((stream) => !stream, "A response that exists is not streamed again: GET it without stream"),
});

/** What a run keeps of the request that it answers, for its response. */
export const ResponseRequest = z.object({
  model: z.string(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  previousResponseId: z.string().nullable(),
  isStored: z.boolean(),
});
export type ResponseRequest = z.infer<typeof ResponseRequest>;
