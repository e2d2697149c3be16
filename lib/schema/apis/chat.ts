import { z } from "zod";
import { sentMessages } from "@/lib/schema/messages/text-limits";
import { ClientThreadId } from "./invoke";

/** How the AI SDK sends what a person pressed under a tool call. */
const ANSWERED = "approval-responded";

const NOT_A_PICTURE = "Only pictures can be sent here. Upload other files to the agent's workspace.";

const TextPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const FilePart = z.looseObject({
  type: z.literal("file"),
  mediaType: z.string().refine((type) => type.startsWith("image/"), NOT_A_PICTURE),
  url: z.string(),
});
const UserMessage = z
  .looseObject({
    role: z.literal("user"),
    parts: z.array(z.discriminatedUnion("type", [TextPart, FilePart])).max(1_000),
  })
  .transform(({ role, parts }) => ({
    role,
    content: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    pictures: parts.flatMap((part) => (part.type === "file" ? [part.url] : [])),
  }))
  .refine(({ content, pictures }) => content !== "" || pictures.length > 0, {
    message: "the message must not be empty",
    path: ["parts"],
  });

const AnsweredCall = z.looseObject({
  toolCallId: z.string().min(1).max(200),
  approval: z.looseObject({ approved: z.boolean(), reason: z.string().max(10_000).nullish() }),
});

/** A reply, of which only the answers to approvals are read. */
const RepliedMessage = z.looseObject({ role: z.literal("assistant"), parts: z.array(AnsweredCall).max(200) });

const LastMessage = z.discriminatedUnion("role", [UserMessage, RepliedMessage], {
  error: "the last message must be the user's, or a reply with answered approvals",
});

/**
 * POST `/agents/{id}/chat`, as `DefaultChatTransport` sends it. Of the messages only the last is kept: the thread on the
 * server is the transcript, so a client's copy of it proves nothing. Fields not named here are ignored.
 */
export const ChatBody = z.preprocess(
  onlyWhatCounts,
  z.looseObject({
    id: ClientThreadId,
    trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
    /** The reply to write again; by default the last one. */
    messageId: z.string().max(200).nullish(),
    messages: sentMessages(z.array(LastMessage)),
  }),
);
export type ChatBody = z.output<typeof ChatBody>;

/** What a client sends: its whole copy of the chat, most of which is not read. */
export const ChatDocument = z.looseObject({
  id: ClientThreadId,
  trigger: z.enum(["submit-message", "regenerate-message"]).optional(),
  messageId: z.string().max(200).nullish(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "user", "assistant"]),
        parts: z.array(z.looseObject({ type: z.string() })),
      }),
    )
    .describe(
      "UI messages of the AI SDK. Only the last is read: a user's message, or a reply with answered approvals.",
    ),
});

/** Without what is ignored, which may be long and of any shape. */
function onlyWhatCounts(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body.messages)) return body;
  if (body.trigger === "regenerate-message") return { ...body, messages: [] };
  return { ...body, messages: body.messages.slice(-1).map(onlyPartsThatCount) };
}

/** Of a person's message its texts and files, not an application's own data; of a reply the answers to approvals. */
function onlyPartsThatCount(message: unknown): unknown {
  if (!isRecord(message) || !Array.isArray(message.parts)) return message;
  const { role } = message;
  const parts = message.parts.filter(isRecord);
  if (role === "user") return { role, parts: parts.filter(({ type }) => type === "text" || type === "file") };
  const answered = parts.filter(({ state, ...part }) => state === ANSWERED && isOfItsCall(part));
  return { role, parts: answered.map(({ toolCallId, approval }) => ({ toolCallId, approval })) };
}

/** A request for approval has the id of its call, so an answer to another request is none to this call. */
function isOfItsCall({ toolCallId, approval }: Record<string, unknown>): boolean {
  return !isRecord(approval) || approval.id === toolCallId;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
