import { z } from "zod";
import { cleanText } from "@/lib/agent/clean-text";
import type { AgentConfig } from "@/lib/schema/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { type InputMessage, Message } from "@/lib/schema/message";
import { createId } from "../create-id";

/** `Run.input`: what the run adds to the history first, and where its reply stands in the transcript. */
export const RunInput = z.object({ messages: z.array(Message), transcriptPosition: z.number() });
export type RunInput = z.infer<typeof RunInput>;

/** One message as it was given (`original`, cleaned) and as the model reads it (`sent`). */
export interface NormalizedMessage {
  readonly original: string;
  readonly sent: Extract<Message, { role: "user" | "system" }>;
}

/**
 * Gives messages their ids, removes what no database stores (NUL, half surrogates), and shortens what is longer than
 * the agent allows (D-30). Throws `invalid_input` when nothing is left or a system message is not allowed (D-33).
 */
export function normalizeMessages(messages: readonly InputMessage[], config: AgentConfig): NormalizedMessage[] {
  return messages.map(({ role, content }, index) => {
    if (role === "system" && !config.allow_client_system_messages) {
      throw invalid(index, "role", "This agent takes no system messages.");
    }
    const original = cleanText(content);
    if (original.trim() === "") throw invalid(index, "content", "The message must not be empty.");
    const id = createId("msg");
    return { original, sent: { id, role, content: shorten(original, config.max_message_chars) } };
  });
}

/** The text within `limit` characters, with a notice at its end when something was cut. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
  const removed = text.length - kept.length;
  return `${kept}\n\n[The message was shortened: ${removed} of ${text.length} characters were removed.]`;
}

function invalid(index: number, field: string, message: string): AppError {
  return new AppError("invalid_input", message, { details: [{ path: `messages.${index}.${field}`, message }] });
}
