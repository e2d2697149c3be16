import { sectionField } from "@/lib/client/agents/section-source";
import { sectionTitle } from "@/lib/client/agents/section-title";
import type { NextRequestText } from "@/lib/schema/threads/thread-context";
import { type ContextGroupName, groupOfSection } from "./context-summary";

export interface RequestPart {
  readonly id: string;
  /** What it is, whatever it is called: a section or tool by its name, a message by its role. */
  readonly kind: string;
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
  /** The part of the bar that it belongs to; null for a group of several. */
  readonly name: ContextGroupName | null;
  readonly parts: readonly RequestPart[];
}

/** The texts of a request: the next one's, or an earlier one's. */
export type RequestText = Pick<NextRequestText, "sections" | "messages" | "tools">;

/** A request by what its parts are; empty groups are omitted. */
export function requestParts({ sections, messages, tools }: RequestText): RequestGroup[] {
  const ofSystem = (group: string) =>
    sections.map(sectionPart).filter((_, index) => groupOfSection(sections[index]?.name ?? "") === group);
  const ofMessages = (isIncluded: (message: RequestText["messages"][number]) => boolean) =>
    messages.flatMap((message, index) => (isIncluded(message) ? [messagePart(message, index)] : []));
  const groups: RequestGroup[] = [
    { title: "System prompt", name: "system", parts: ofSystem("system") },
    { title: "Skills", name: "skills", parts: ofSystem("skills") },
    { title: "Memory", name: "memory", parts: ofSystem("memory") },
    {
      title: "Summary",
      name: "messages",
      parts: [...ofSystem("messages"), ...ofMessages(({ isSummary }) => isSummary)],
    },
    { title: "Messages", name: "messages", parts: ofMessages(({ isSummary, role }) => !isSummary && role !== "tool") },
    { title: "Tool results", name: "tool_results", parts: ofMessages(({ role }) => role === "tool") },
    { title: "Tool schemas", name: "tools", parts: tools.map(toolPart) },
  ];
  return groups.filter(({ parts }) => parts.length > 0);
}

/** The parts added after the last model call was sent: its reply, and what followed. */
export function newParts(request: NextRequestText): RequestGroup[] {
  const parts = request.messages.flatMap((message, index) => (message.isNew ? [messagePart(message, index)] : []));
  return parts.length === 0 ? [] : [{ title: "New", name: null, parts }];
}

/** The whole request, without the notes on it. */
export function requestJson({ sections, messages, tools }: RequestText): string {
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

type Section = NextRequestText["sections"][number];

const ORIGINS: Readonly<Record<string, string>> = {
  agent: "from the thread",
  project: "from the project's instructions",
};

/** "from system_prompt, lines 1–18, and SOUL.md, line 1"; otherwise the agent's field that decides on the section. */
function originOf({ name, from, sources = [] }: Pick<Section, "name" | "from" | "sources">): string {
  if (sources.length > 0) {
    return `from ${sources
      .map(({ name: source, firstLine: first, lastLine: last }) =>
        first === last ? `${source}, line ${first}` : `${source}, lines ${first}–${last}`,
      )
      .join(", and ")}`;
  }
  const field = sectionField(name)?.join(".");
  if (field === undefined) return ORIGINS[from] ?? `added by the hook ${from}`;
  return field === "prompt.sections" ? `built in, switched by ${field}.${name}` : `from ${field} of the agent`;
}

function sectionPart(section: Section, index: number): RequestPart {
  const { name, text, tokens, newLines: lines, newIn: version } = section;
  return {
    id: `section-${index}`,
    kind: `section ${name}`,
    name: sectionTitle(name),
    gist: "",
    from: originOf(section),
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
  return {
    id: `tool-${index}`,
    kind: `tool ${name}`,
    name,
    gist: "",
    from: "a tool it may call",
    text,
    language: "json",
    tokens,
  };
}

const ROLES = { system: "System", user: "User", assistant: "Reply", tool: "Result" } as const;
const GIST_CHARS = 60;

function messagePart(message: NextRequestText["messages"][number], index: number): RequestPart {
  const { role, name, content, calls, isSummary, tokens } = message;
  const called = calls.map((call) => `${call.name} ${call.arguments}`).join("\n");
  const text = [content, called].filter((part) => part !== "").join("\n\n");
  return {
    id: `message-${index}`,
    kind: role,
    name: isSummary ? "Summary" : (name ?? ROLES[role]),
    gist: text.slice(0, GIST_CHARS).replaceAll(/\s+/gu, " "),
    from: isSummary ? "in place of older messages" : name === null ? "from the conversation" : "a tool's result",
    text,
    language: "markdown",
    tokens,
  };
}
