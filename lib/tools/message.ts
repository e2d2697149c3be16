import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { defineTool, type Tool, type ToolExecution, type ToolOutput } from "@/lib/agent/tools/tool";

export const MESSAGE = "message";

/** A linked chat of the run's owner. */
interface MessageChat {
  /** The chat's name for the model, such as `@petra`. */
  readonly name: string;
  /** Others read it too. */
  readonly isGroup: boolean;
}

interface NewMessage {
  readonly text: string;
  readonly to: string;
  /** Paths in the workspace. */
  readonly files: readonly string[];
}

/** Sends messages for a run. Throws errors that say what to do instead. */
export interface Messenger {
  /** The linked chats of the run's owner, most recently used first. */
  readonly chats: readonly MessageChat[];
  /**
   * Returns where the message went; `forUser` is shown in the run's own thread. Idempotent: repeating the call sends
   * nothing twice.
   */
  send(message: NewMessage, execution: ToolExecution): Promise<ToolOutput>;
}

/** Targets that only the run's owner reads. */
const OWN = ["origin", "last", "thread"];

const Input = z.object({
  text: z.string().min(1).max(20_000).describe("What to say, in Markdown"),
  to: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "origin (where this run was started, the default), last (the chat that the user used last), thread, or the name of a linked chat",
    ),
  files: z
    .array(z.string().min(1).max(4_096))
    .max(10)
    .optional()
    .describe("Paths of files in the workspace to send along"),
});

/**
 * Sends a message at once, while the run continues. Messages to a group ask even if permissions are off, because others
 * read them.
 */
export function messageTool(messenger: Messenger): Tool {
  const { chats } = messenger;
  const isOwn = (to: unknown) =>
    typeof to !== "string" || OWN.includes(to) || chats.some(({ name, isGroup }) => name === to && !isGroup);
  const named = chats.map(({ name, isGroup }) => (isGroup ? `${name} (a group)` : name)).join(", ");
  return defineTool({
    name: MESSAGE,
    description: `Send the user a message at once, outside this reply: to a chat that they have linked, or into this thread. What was sent to a chat with it is not sent there again as the final reply.${named === "" ? "" : ` Linked chats: ${named}.`}`,
    input: Input,
    question: "Send this message?",
    resumable: true,
    approvalOf: ({ to }) => (isOwn(to) ? "never" : undefined),
    asksBecause: ({ to }) => (isOwn(to) ? undefined : "Others read the message"),
    gist: ({ to, text }) => `${typeof to === "string" ? `to ${to}: ` : ""}${String(text ?? "")}`,
    execute: ({ text, to = "origin", files = [] }, execution) =>
      messenger.send({ text: cleanText(text), to, files }, execution),
  });
}
