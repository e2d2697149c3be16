import type { ModelRequest } from "@/lib/agent/model";
import { trimEndOf } from "@/lib/schema/trim-characters";

const ASKS_FOR_SUMMARY = /\bsummar(?:y|ies|i[sz]e|i[sz]ing|i[sz]ation)\b/i;
const ASKS_FOR_TITLE = /\btitle\b/i;
/** The product's transcript format in summary requests: a line in brackets names the speaker. */
const BLOCK = /^\[(User|Assistant|Result of [^\]]*)\]\n([\s\S]*)$/;
const CALL = /^calls (\S+) \{/;

/**
 * Answers the product's own requests to a model (a summary of a conversation, a title): they come without tools and
 * state their task in the system prompt. A memory flush has nothing left to save, because the demo model notes things
 * immediately when told to remember them. Null for any other request.
 */
export function housekeepingText(request: ModelRequest): string | null {
  if (request.system.some(({ name }) => name === "memory-flush")) return "NO_REPLY";
  if (request.tools.length > 0) return null;
  const instruction = request.system.map((section) => section.text).join("\n");
  const last = request.messages.at(-1);
  const asked = last?.role === "user" ? last.content : "";
  if (ASKS_FOR_TITLE.test(instruction)) return titleOf(asked);
  const isSummary = ASKS_FOR_SUMMARY.test(instruction) || ASKS_FOR_SUMMARY.test(asked.slice(0, 1_000));
  return isSummary && hasConversation(request, asked) ? summaryOf(request, asked) : null;
}

function hasConversation(request: ModelRequest, asked: string): boolean {
  return request.messages.length > 1 || asked.includes("<conversation>");
}

function titleOf(text: string): string {
  const words = text.replace(/\s+/g, " ").trim().split(" ").slice(0, 6).join(" ");
  return trimEndOf(words, /[.,:;!?]/) || "New thread";
}

function summaryOf(request: ModelRequest, asked: string): string {
  const said = request.messages.length > 1 ? fromMessages(request) : fromTranscript(asked);
  const userLines = said.user.slice(-20).map((text) => `- ${shorten(text)}`);
  const answers = said.assistant.slice(-10).map((text) => `- ${shorten(text)}`);
  const tools = [...new Set(said.tools)].map((name) => `\`${name}\``).join(", ");
  return [
    "Summary of the conversation so far (by the demo model, by rules):",
    userLines.length > 0 ? `The user asked:\n${userLines.join("\n")}` : "",
    answers.length > 0 ? `The assistant answered:\n${answers.join("\n")}` : "",
    tools === "" ? "" : `Tools used: ${tools}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

interface Said {
  readonly user: string[];
  readonly assistant: string[];
  readonly tools: string[];
}

function fromMessages(request: ModelRequest): Said {
  const said: Said = { user: [], assistant: [], tools: [] };
  for (const message of request.messages.slice(0, -1)) {
    if (message.role === "user") said.user.push(message.content);
    else if (message.role === "assistant") {
      if (message.content !== "") said.assistant.push(message.content);
      said.tools.push(...message.toolCalls.map((call) => call.name));
    }
  }
  return said;
}

function fromTranscript(asked: string): Said {
  const said: Said = { user: [], assistant: [], tools: [] };
  const transcript = asked
    .slice(asked.indexOf("<conversation>") + "<conversation>".length)
    .replace(/<\/conversation>\s*$/, "");
  for (const block of transcript.trim().split(/\n\n(?=\[(?:User|Assistant|Result of ))/)) {
    const [, speaker, text = ""] = BLOCK.exec(block) ?? [];
    if (speaker === "User") said.user.push(text);
    if (speaker === "Assistant") addAssistant(said, text);
  }
  return said;
}

function addAssistant(said: Said, text: string): void {
  const lines = text.split("\n");
  said.tools.push(...lines.flatMap((line) => CALL.exec(line)?.[1] ?? []));
  const spoken = lines
    .filter((line) => !CALL.test(line))
    .join("\n")
    .trim();
  if (spoken !== "") said.assistant.push(spoken);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
}
