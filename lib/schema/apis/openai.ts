import { z } from "zod";
import { sentMessages } from "@/lib/schema/messages/text-limits";
import { ClientThreadId } from "./invoke";
import { PartedContent, ReplyContent, TextContent } from "./parts";
import { agentsOwn, asksForNone, flag, NO_TOOLS, textFormat, withoutEmpty } from "./sent-values";

/** A call in the history of a client that used another model before. Arguments are text, or what that text means. */
const CalledFunction = z.looseObject({ name: z.string().max(200), arguments: z.unknown() });

/**
 * A client's message. Tools run on the server, so calls and results can only come from a conversation that another
 * model began: they are history.
 */
export const CHAT_MESSAGES = [
  z.looseObject({ role: z.literal("system"), content: TextContent.nullish() }),
  z.looseObject({ role: z.literal("developer"), content: TextContent.nullish() }),
  z.looseObject({ role: z.literal("user"), content: PartedContent.nullish() }).transform(({ content, ...message }) => ({
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
] as const;

const ChatMessage = z.preprocess(withKnownRole, z.discriminatedUnion("role", CHAT_MESSAGES, { error: refusedRole }));
export type ChatMessage = z.output<typeof ChatMessage>;

/** Roles as other libraries name them. */
const OTHER_ROLES: Readonly<Record<string, string>> = { human: "user", ai: "assistant", model: "assistant" };

export function withKnownRole(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("role" in message)) return message;
  const { role } = message;
  if (typeof role !== "string") return message;
  const name = role.toLowerCase();
  return { ...message, role: OTHER_ROLES[name] ?? name };
}

export function refusedRole({ input: message }: { readonly input?: unknown }): string {
  const role = typeof message === "object" && message !== null && "role" in message ? message.role : undefined;
  const problem =
    typeof role === "string"
      ? `A message can't have the role ${JSON.stringify(role.slice(0, 100))}.`
      : "A message needs a role.";
  return `${problem} Send system, developer, user, assistant, tool or function.`;
}

const NO_FUNCTIONS = "functions belong to the agent and can't be sent";

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
    tools: agentsOwn(NO_TOOLS),
    functions: agentsOwn(NO_FUNCTIONS),
    response_format: textFormat("response_format"),
  })
  .refine(({ tools, tool_choice }) => asksForNone(tools, tool_choice), { path: ["tools"], error: NO_TOOLS })
  .refine(({ functions, function_call }) => asksForNone(functions, function_call), {
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
