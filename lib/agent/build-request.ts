import type { Message } from "@/lib/schema/message";
import type { ModelRequest, PromptSection } from "./model";
import type { RunSession } from "./run-session";

/**
 * The request before hooks see it. System messages that a client sent stand in the prompt after the agent's own
 * text (D-33); a user message over `max_message_chars` is sent shortened, with a notice at its end (D-30).
 */
export function buildRequest({ run, context, toolbox }: RunSession): ModelRequest {
  const system: PromptSection[] = [...run.system];
  const messages: Message[] = [];
  for (const message of context.messages) {
    if (message.role === "system") system.push({ name: "client", text: message.content });
    else messages.push(shortenMessage(message, run.config.max_message_chars));
  }
  return {
    system,
    messages,
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
