import type { Message } from "@/lib/schema/message";
import type { ModelRequest, PromptSection } from "./model";
import type { RunSession } from "./run-session";

/**
 * What the run's messages have become for its requests so far. The loop only ever appends to them, so that each step adds
 * its own instead of going through a long history again.
 */
export interface SentMessages {
  /** How many of the run's messages are in. */
  count: number;
  readonly system: PromptSection[];
  readonly messages: Message[];
}

/**
 * The request before hooks see it. System messages that a client sent stand in the prompt after the agent's own
 * text (D-33); a user message over `max_message_chars` is sent shortened, with a notice at its end (D-30).
 */
export function buildRequest({ run, context, toolbox, sent }: RunSession): ModelRequest {
  for (const message of context.messages.slice(sent.count)) {
    if (message.role === "system") sent.system.push({ name: "client", text: message.content });
    else sent.messages.push(shortenMessage(message, run.config.max_message_chars));
  }
  sent.count = context.messages.length;
  return {
    system: [...run.system, ...sent.system],
    messages: [...sent.messages],
    tools: toolbox.schemas(),
    maxTokens: run.config.max_tokens,
    temperature: run.config.temperature,
  };
}

function shortenMessage(message: Message, maxChars: number): Message {
  if (message.role !== "user" || message.content.length <= maxChars) return message;
  const kept = message.content.slice(0, maxChars).toWellFormed();
  const notice = `[This message was shortened: it has ${message.content.length} characters, of which you see the first ${maxChars}.]`;
  return { ...message, content: `${kept}\n\n${notice}` };
}
