import { sectionTitle } from "@/lib/client/agents/section-title";
import type { NextRequestText } from "@/lib/schema/threads/thread-context";

export interface RequestPart {
  readonly id: string;
  readonly name: string;
  /** Its beginning, to tell messages apart. */
  readonly gist: string;
  /** Its origin, in words. */
  readonly from: string;
  readonly text: string;
  /** For syntax colouring. */
  readonly language: "markdown" | "json";
  readonly tokens: number;
  /** Lines of the text that a version of the agent has added. */
  readonly added?: { readonly lines: readonly number[]; readonly version: number };
}

export interface RequestGroup {
  readonly title: string;
  readonly parts: readonly RequestPart[];
}

/** A request in the order in which the model gets it; empty groups are omitted. */
export function requestParts({ sections, messages, tools }: NextRequestText): RequestGroup[] {
  const groups = [
    { title: "System prompt", parts: sections.map(sectionPart) },
    { title: "Tool schemas", parts: tools.map(toolPart) },
    { title: "Messages", parts: messages.map(messagePart) },
  ];
  return groups.filter(({ parts }) => parts.length > 0);
}

/** The parts added after the last model call was sent: its reply, and what followed. */
export function newParts(request: NextRequestText): RequestGroup[] {
  const parts = request.messages.flatMap((message, index) => (message.isNew ? [messagePart(message, index)] : []));
  return parts.length === 0 ? [] : [{ title: "New", parts }];
}

/** The whole request, without the notes on it. */
export function requestJson({ sections, messages, tools }: NextRequestText): string {
  const request = {
    system: sections.map(({ text }) => text).join("\n\n"),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    messages: messages.map(({ role, name, content, calls }) => ({
      role,
      ...(name === null ? {} : { name }),
      content,
      ...(calls.length === 0 ? {} : { calls }),
    })),
  };
  return JSON.stringify(request, null, 2);
}

function sectionPart(
  { name, text, tokens, from, newLines: lines, newIn: version }: NextRequestText["sections"][number],
  index: number,
): RequestPart {
  const source = from === "agent" ? "from the agent" : `added by the hook ${from}`;
  return {
    id: `section-${index}`,
    name: sectionTitle(name),
    gist: "",
    from: source,
    text,
    language: "markdown",
    tokens,
    ...(lines === undefined || version === undefined ? {} : { added: { lines, version } }),
  };
}

function toolPart(
  { name, description, parameters, tokens }: NextRequestText["tools"][number],
  index: number,
): RequestPart {
  const text = JSON.stringify({ name, description, parameters }, null, 2);
  return { id: `tool-${index}`, name, gist: "", from: "a tool that it may call", text, language: "json", tokens };
}

const ROLES = { system: "System", user: "User", assistant: "Reply", tool: "Result" } as const;
const GIST_CHARS = 60;

function messagePart(message: NextRequestText["messages"][number], index: number): RequestPart {
  const { role, name, content, calls, isSummary, tokens } = message;
  const called = calls.map((call) => `${call.name} ${call.arguments}`).join("\n");
  const text = [content, called].filter((part) => part !== "").join("\n\n");
  return {
    id: `message-${index}`,
    name: isSummary ? "Summary" : (name ?? ROLES[role]),
    gist: text.slice(0, GIST_CHARS).replaceAll(/\s+/gu, " "),
    from: isSummary ? "in place of older messages" : name === null ? "of the conversation" : "a tool's result",
    text,
    language: "markdown",
    tokens,
  };
}
