import type { Message, ToolCall } from "@/lib/schema/messages/message";
import { charsPerTokenOf } from "@/lib/schema/messages/token-estimate";

interface SummaryLimits {
  /** How many characters of a write or edit's content are included (S0). */
  readonly truncateChars: number;
  /** The budget of the whole conversation, so that the summary's own request fits the window. */
  readonly budgetTokens: number;
  readonly charsPerToken: number;
  /** The requested length. */
  readonly maxWords: number;
}

const instructions = (
  maxWords: number,
) => `Below is the first part of a conversation between a user and an assistant that works with tools. It no longer fits and will be replaced by your summary; the assistant goes on with the rest of the conversation after it.

Write the summary in under ${maxWords.toLocaleString("en")} words. Keep what the assistant needs to go on without asking again: what the user wants and has ruled out, decisions and their reasons, facts and figures found out, names and paths of files with what was done to them, results of tools that still matter, errors and how they were dealt with, what is done and what is still open. Leave out pleasantries. Write only the summary.`;

/** The prompt that asks the model to summarise `messages`, including tool results. */
export function summaryPrompt(messages: readonly Message[], limits: SummaryLimits): string {
  const { truncateChars, budgetTokens, charsPerToken, maxWords } = limits;
  const texts = messages.map((message) => renderMessage(message, truncateChars));
  const cap = fittingCap(texts, Math.floor(budgetTokens * charsPerTokenOf(texts, charsPerToken)));
  const conversation = texts.map((text) => shorten(text, cap)).join("\n\n");
  return `${instructions(maxWords)}\n\n<conversation>\n${conversation}\n</conversation>`;
}

function renderMessage(message: Message, truncateChars: number): string {
  switch (message.role) {
    case "tool":
      return `[Result of ${message.name}${message.isError ? ", failed" : ""}]\n${message.content}`;
    case "assistant":
      return ["[Assistant]", message.content, ...message.toolCalls.map((call) => renderCall(call, truncateChars))]
        .filter(Boolean)
        .join("\n");
    default:
      return `[User]\n${message.content}`;
  }
}

const WRITING_TOOLS: ReadonlySet<string> = new Set(["write_file", "edit_file"]);

function renderCall({ name, args }: ToolCall, truncateChars: number): string {
  if (!WRITING_TOOLS.has(name)) return `calls ${name} ${JSON.stringify(args)}`;
  const shortened = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === "string" ? shorten(value, truncateChars) : value,
  ]);
  return `calls ${name} ${JSON.stringify(Object.fromEntries(shortened))}`;
}

/** The largest cap per text at which all texts together fit the budget. */
function fittingCap(texts: readonly string[], budgetChars: number): number {
  const lengths = texts.map((text) => text.length).sort((left, right) => left - right);
  let left = budgetChars;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function shorten(text: string, maxChars: number): string {
  return text.length > maxChars
    ? `${text.slice(0, maxChars).toWellFormed()}… (${text.length - maxChars} more characters)`
    : text;
}
