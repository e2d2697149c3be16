import { z } from "zod";
import { sentMessages } from "@/lib/schema/messages/text-limits";
import { Answer, type Decision } from "@/lib/schema/runs/interrupt";
import { ClientThreadId } from "./invoke";
import { PartedContent, TextContent } from "./parts";
import { agentsOwn, asksForNone, NO_TOOLS } from "./sent-values";

const id = z.string().min(1).max(200);

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SystemContent = TextContent.transform((text) => ({ text, pictures: [] as readonly string[] }));

/** A message of the user, or what an application tells the agent beside it. */
const ClientMessage = z
  .discriminatedUnion(
    "role",
    [
      z.looseObject({ role: z.literal("user"), id, content: PartedContent }),
      z.looseObject({ role: z.literal("system"), id, content: SystemContent }),
      z.looseObject({ role: z.literal("developer"), id, content: SystemContent }),
    ],
    { error: "A message has one of the roles of AG-UI." },
  )
  .transform(({ id: messageId, role, content: { text, pictures } }) => ({
    id: messageId,
    role: role === "user" ? role : ("system" as const),
    content: text,
    pictures,
  }))
  .refine(({ content, pictures }) => content !== "" || pictures.length > 0, {
    message: "content must not be empty",
    path: ["content"],
  });
export type ClientMessage = z.output<typeof ClientMessage>;

/** The roles of what an agent wrote, and of what stands beside it. */
const AGENTS_ROLES: readonly unknown[] = ["assistant", "tool", "reasoning", "activity"];

/**
 * The messages after the agent's last one. A client repeats its whole copy of the thread, but the thread on the server
 * is the transcript, so that copy proves nothing and is not read.
 */
function afterAgent(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  const last = messages.findLastIndex((message) => isFields(message) && AGENTS_ROLES.includes(message.role));
  return messages.slice(last + 1).map(withAddresses);
}

/** Pictures as the other APIs write them: as the address of what `source` has. */
function withAddresses(message: unknown): unknown {
  if (!isFields(message) || !Array.isArray(message.content)) return message;
  return { ...message, content: message.content.map(withAddress) };
}

function withAddress(part: unknown): unknown {
  if (!isFields(part) || part.type !== "image" || !isFields(part.source)) return part;
  const { source, ...beside } = part;
  const { type, value, mimeType } = part.source;
  return { ...beside, type: "image_url", image_url: type === "data" ? `data:${mimeType};base64,${value}` : value };
}

/** The answer to an interrupt, as its `responseSchema` says. */
const ResumePayload = z.strictObject({
  decision: z.enum(["allow", "deny", "edit", "answer"]),
  args: z.record(z.string(), z.unknown()).nullish(),
  answers: z.array(Answer).max(20).nullish(),
  reason: z.string().max(10_000).nullish(),
});

type ResumeAnswer = Omit<Decision, "tool_call_id">;

/** Someone who gives up an interrupt may say why. */
const CancelPayload = z.looseObject({ reason: z.string().max(10_000).optional().catch(undefined) }).catch({});

/** An answer in the words of our decisions, still without its call; `cancelled` is a deny. */
const ResumeEntry = z.discriminatedUnion("status", [
  z
    .looseObject({ interruptId: id, status: z.literal("resolved"), payload: ResumePayload })
    .transform(({ interruptId, status, payload: { decision, args, answers, reason } }) => ({
      interruptId,
      status,
      answer: {
        decision,
        ...(args ? { args } : {}),
        ...(answers ? { answers } : {}),
        ...(reason ? { reason } : {}),
      } satisfies ResumeAnswer,
    })),
  z
    .looseObject({ interruptId: id, status: z.literal("cancelled"), payload: CancelPayload })
    .transform(({ interruptId, status, payload: { reason } }) => ({
      interruptId,
      status,
      answer: { decision: "deny", ...(reason ? { reason } : {}) } satisfies ResumeAnswer,
    })),
]);

/** POST `/agents/{id}/ag-ui`: AG-UI's RunAgentInput. Fields not named here are ignored. */
export const AgUiBody = z
  .looseObject({
    threadId: ClientThreadId,
    runId: id,
    messages: z.preprocess(afterAgent, sentMessages(z.array(ClientMessage).max(1_000))),
    tools: agentsOwn(NO_TOOLS),
    resume: z.array(ResumeEntry).max(200).nullish(),
  })
  .refine(({ tools }) => asksForNone(tools, undefined), { path: ["tools"], error: NO_TOOLS });
export type AgUiBody = z.output<typeof AgUiBody>;

/** What a client sends: its whole copy of the thread. */
export const AgUiDocument = z.looseObject({
  threadId: ClientThreadId,
  runId: id,
  messages: z
    .array(
      z.looseObject({
        id,
        role: z.enum(["user", "system", "developer", "assistant", "tool", "reasoning", "activity"]),
      }),
    )
    .describe(
      "Only the messages after the agent's last one are read, and of these the ones that the thread does not have.",
    ),
  resume: z
    .array(
      z.looseObject({
        interruptId: id,
        status: z.enum(["resolved", "cancelled"]),
        payload: ResumePayload.optional().describe("The answer, as the interrupt's `responseSchema` says."),
      }),
    )
    .optional(),
});
