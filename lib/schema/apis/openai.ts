import { z } from "zod";
import { sentMessages } from "@/lib/schema/messages/text-limits";
import { ClientThreadId } from "./invoke";
import { PartedContent, ReplyContent, TextContent } from "./parts";

/** A call in the history of a client that used another model before. Arguments are text, or what that text means. */
const CalledFunction = z.looseObject({ name: z.string().max(200), arguments: z.unknown() });

/**
 * A client's message. Tools run on the server, so calls and results can only come from a conversation that another
 * model began: they are history.
 */
const ChatMessage = z.preprocess(
  withKnownRole,
  z.discriminatedUnion(
    "role",
    [
      z.looseObject({ role: z.literal("system"), content: TextContent.nullish() }),
      z.looseObject({ role: z.literal("developer"), content: TextContent.nullish() }),
      z
        .looseObject({ role: z.literal("user"), content: PartedContent.nullish() })
        .transform(({ content, ...message }) => ({
          ...message,
          content: content?.text,
          pictures: content?.pictures ?? [],
        })),
      z.looseObject({
        role: z.literal("assistant"),
        content: ReplyContent.nullish(),
        tool_calls: z.preprocess(
          withoutEmpty,
          z
            .array(z.looseObject({ id: z.string().nullish(), function: CalledFunction.nullish() }))
            .max(1_000)
            .nullish(),
        ),
        function_call: CalledFunction.nullish(),
      }),
      z.looseObject({ role: z.literal("tool"), content: ReplyContent.nullish(), tool_call_id: z.string().nullish() }),
      z.looseObject({ role: z.literal("function"), content: ReplyContent.nullish(), name: z.string().nullish() }),
    ],
    { error: ({ input }) => `${roleOf(input)} Send system, developer, user, assistant, tool or function.` },
  ),
);
export type ChatMessage = z.output<typeof ChatMessage>;

/** Roles as other libraries name them. */
const OTHER_ROLES: Readonly<Record<string, string>> = { human: "user", ai: "assistant", model: "assistant" };

function withKnownRole(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("role" in message)) return message;
  const { role } = message;
  if (typeof role !== "string") return message;
  const name = role.toLowerCase();
  return { ...message, role: OTHER_ROLES[name] ?? name };
}

function roleOf(message: unknown): string {
  const role = typeof message === "object" && message !== null && "role" in message ? message.role : undefined;
  return typeof role === "string"
    ? `A message can't have the role ${JSON.stringify(role.slice(0, 100))}.`
    : "A message needs a role.";
}

/** Some languages write an object or a list without entries as the other of the two. */
function withoutEmpty(sent: unknown): unknown {
  const isBare =
    sent === "" || sent === false || (typeof sent === "object" && sent !== null && Object.keys(sent).length === 0);
  return isBare ? undefined : sent;
}

/** A list in which null asks for nothing, or a word for none. */
function withoutNulls(sent: unknown): unknown {
  if (sent === "" || sent === false) return undefined;
  return Array.isArray(sent) ? sent.filter((entry) => entry !== null) : sent;
}

function asksForText(format: unknown): unknown {
  const type = typeof format === "object" && format !== null && "type" in format ? format.type : format;
  return type === null || type === "text" ? undefined : withoutEmpty(format);
}

function refusedFormat({ input: format }: { readonly input?: unknown }): string {
  const type = typeof format === "object" && format !== null && "type" in format ? format.type : format;
  const name = typeof type === "string" ? ` ${JSON.stringify(type.slice(0, 100))}` : "";
  return `response_format${name} is not supported: replies are text`;
}

const NO_TOOLS = "tools belong to the agent and can't be sent";
const NO_FUNCTIONS = "functions belong to the agent and can't be sent";

/** Clients send an empty list with every request, or a list beside the wish that none be called: neither asks for any. */
function asksForNone({ length }: readonly unknown[], choice: unknown): boolean {
  const isNone = typeof choice === "object" && choice !== null && "type" in choice && choice.type === "none";
  return length === 0 || choice === "none" || isNone;
}

/** Some clients write a flag as text. */
const flag = z.preprocess((sent) => FLAGS.get(sent) ?? sent, z.boolean().nullish());
const FLAGS = new Map<unknown, boolean>([
  ["true", true],
  ["True", true],
  [1, true],
  ["false", false],
  ["False", false],
  ["", false],
  [0, false],
]);

/** POST `/v1/chat/completions`; fields not named here are ignored. A default that asks for nothing is none. */
export const ChatCompletionBody = z
  .looseObject({
    model: z.string().trim().min(1).max(200),
    messages: sentMessages(z.array(ChatMessage).min(1).max(2_000)),
    stream: flag,
    stream_options: z.preprocess(withoutEmpty, z.looseObject({ include_usage: flag }).nullish()),
    metadata: z.preprocess(
      withoutEmpty,
      z
        .looseObject({
          thread_id: z.preprocess((id) => (id === null || id === "" ? undefined : id), ClientThreadId.optional()),
        })
        .nullish(),
    ),
    n: z.preprocess(
      (sent) => (sent === "1" ? 1 : sent),
      z.literal(1, { error: "n must be 1: one reply per request" }).nullish(),
    ),
    modalities: z.preprocess(
      (sent) => (sent === "text" ? undefined : sent),
      z.array(z.literal("text", { error: "Replies are text: the only modality is text" })).nullish(),
    ),
    tools: z.preprocess(withoutNulls, z.array(z.unknown(), { error: NO_TOOLS }).nullish()),
    functions: z.preprocess(withoutNulls, z.array(z.unknown(), { error: NO_FUNCTIONS }).nullish()),
    response_format: z.preprocess(
      asksForText,
      z.looseObject({ type: z.literal("text", { error: refusedFormat }) }, { error: refusedFormat }).nullish(),
    ),
  })
  .refine(({ tools, tool_choice }) => asksForNone(tools ?? [], tool_choice), { path: ["tools"], error: NO_TOOLS })
  .refine(({ functions, function_call }) => asksForNone(functions ?? [], function_call), {
    path: ["functions"],
    error: NO_FUNCTIONS,
  });
export type ChatCompletionBody = z.output<typeof ChatCompletionBody>;

const CompletionUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.number() }),
  /** Our extension: the counts contain estimates (D-84). */
  estimated: z.literal(true).optional(),
});
export type CompletionUsage = z.infer<typeof CompletionUsage>;

export const FinishReason = z.enum(["stop", "length"]);
export type FinishReason = z.infer<typeof FinishReason>;

export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
      finish_reason: FinishReason,
      logprobs: z.null(),
    }),
  ),
  /** Null if the usage of any model call is unknown. */
  usage: CompletionUsage.nullable(),
});

export const Model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number(),
  owned_by: z.string(),
});
export const ModelList = z.object({ object: z.literal("list"), data: z.array(Model) });
