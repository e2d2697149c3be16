import type { Message } from "@/lib/schema/messages/message";
import { checkMessage } from "./messages/check-chain";
import type { ModelRequest, PromptSection } from "./model";
import type { RunContext } from "./run-context";
import type { RunSession } from "./run-session";

/**
 * The run's messages as prepared for its requests so far. The loop only appends messages, so each step adds its own
 * instead of processing the whole history again.
 */
export interface SentMessages {
  /** How many of the run's messages have been prepared. */
  count: number;
  readonly system: PromptSection[];
  readonly messages: Message[];
}

/**
 * The request before hooks see it. System messages from a client follow the agent's own text in the prompt (D-33); a
 * user message over `max_message_chars` is shortened, with a notice at its end (D-30). Changes by `preGeneration` hooks
 * replace the agent's text and the conversation before the run's first reply.
 */
export function buildRequest({ run, context, generation, toolbox, sent }: RunSession): ModelRequest {
  const { base } = generation;
  if (sent.count === 0 && base.messages) {
    sent.count = run.history.length + run.input.length;
    sendPrepared(base.messages, context, sent);
  }
  for (const message of context.messages.slice(sent.count)) sendMessage(message, context, sent);
  sent.count = context.messages.length;
  return {
    system: [...(base.system ?? run.system), ...sent.system],
    messages: [...sent.messages],
    tools: toolbox.schemas(),
    maxTokens: run.config.max_tokens,
    temperature: run.config.temperature,
    ...(run.effort === undefined ? {} : { effort: run.effort }),
  };
}

/**
 * Starts from the conversation as hooks prepared it, which covers the first `sent.count` messages: a later segment has
 * replies and results after them. The hooks' own messages are not shortened.
 */
function sendPrepared(prepared: readonly Message[], context: RunContext, sent: SentMessages): void {
  const conversation = context.messages.slice(0, sent.count);
  const own = new Set(conversation);
  for (const message of conversation) if (message.role === "system") sendMessage(message, context, sent);
  for (const message of prepared) {
    if (own.has(message)) sendMessage(message, context, sent);
    else if (message.role === "system") sent.system.push({ name: "client", text: message.content });
    else sent.messages.push(message);
  }
}

/** The loop's own messages are checked once, on arrival (D-72); hooks are responsible for their changes. */
function sendMessage(message: Message, { config }: RunContext, sent: SentMessages): void {
  if (message.role === "system") {
    sent.system.push({ name: "client", text: message.content });
    return;
  }
  sent.messages.push(shortenMessage(message, config.max_message_chars));
  checkMessage(sent.messages, sent.messages.length - 1, "the conversation");
}

function shortenMessage(message: Message, maxChars: number): Message {
  if (message.role !== "user" || message.content.length <= maxChars) return message;
  const kept = message.content.slice(0, maxChars).toWellFormed();
  const notice = `[This message was shortened: it has ${message.content.length} characters, of which you see the first ${maxChars}.]`;
  return { ...message, content: `${kept}\n\n${notice}` };
}
