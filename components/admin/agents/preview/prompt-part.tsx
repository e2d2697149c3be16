"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { EmptyState } from "@/components/ui/states/state-block";
import { fieldAt, fieldLabel } from "@/lib/client/agents/form/field-labels";
import { sectionField } from "@/lib/client/agents/section-source";
import { sectionTitle } from "@/lib/client/agents/section-title";
import { formatCount } from "@/lib/client/ui/text/format";
import type { PromptPreview } from "@/lib/schema/agents/prompt";

export interface PromptPartProps {
  agentId: string;
  preview: PromptPreview;
  /** `section-0`, `tool-3`, `message-1`; null for the first. */
  selected: string | null;
}

export const PART_ID = "prompt-part";

/** One part as the model reads it, and its origin. */
export function PromptPart({ agentId, preview, selected }: PromptPartProps) {
  const part = findPart(preview, selected);
  if (part === null) {
    return (
      <EmptyState title="The model gets nothing yet" className="flex-1">
        This agent has no system prompt and no tools. Write a system prompt in its editor.
      </EmptyState>
    );
  }
  return (
    <section id={PART_ID} aria-label="Part" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-b border-border px-4 py-1 text-xs">
        <h2 className="text-sm font-medium">{part.title}</h2>
        <span className="text-muted">{part.source(agentId)}</span>
        <span className="tnum ml-auto text-muted">{formatCount(part.tokens)} tokens, estimated</span>
        <CopyButton text={part.text} label="Copy this part" />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto bg-code">
        <CodeBlock code={part.text} title={part.language} isBare hasLineNumbers wrap />
      </div>
    </section>
  );
}

interface Part {
  readonly title: string;
  readonly text: string;
  readonly language: string;
  readonly tokens: number;
  readonly source: (agentId: string) => ReactNode;
}

function findPart(preview: PromptPreview, selected: string | null): Part | null {
  const [kind, index] = (selected ?? "section-0").split("-");
  const found =
    kind === "tool"
      ? toolPart(preview.tools[Number(index)])
      : kind === "message"
        ? messagePart(preview.messages[Number(index)])
        : sectionPart(preview.sections[Number(index)]);
  return found ?? sectionPart(preview.sections[0]) ?? toolPart(preview.tools[0]);
}

function sectionPart(section: PromptPreview["sections"][number] | undefined): Part | null {
  if (!section) return null;
  const { name, text, tokens, from } = section;
  return { title: sectionTitle(name), text, tokens, language: "markdown", source: (id) => sourceOf(name, from, id) };
}

/** The editor's field for it, otherwise the hook that added it. */
function sourceOf(name: string, from: string, agentId: string): ReactNode {
  const path = sectionField(name);
  const field = path && fieldAt(path);
  if (path === null || field === null) return from === "agent" ? "from the thread" : `added by the hook ${from}`;
  return (
    <>
      from{" "}
      <Link
        href={`/admin/agents/${encodeURIComponent(agentId)}?tab=${field.tab.id}`}
        className="text-link underline touch-target"
      >
        {field.tab.label}, {fieldLabel(path)}
      </Link>
    </>
  );
}

const TOOL_SOURCES: Record<PromptPreview["tools"][number]["from"], string> = {
  agent: "listed by the agent",
  hook: "brought along by a hook",
  mcp: "from an MCP server",
};

function toolPart(tool: PromptPreview["tools"][number] | undefined): Part | null {
  if (!tool) return null;
  const { name, description, parameters, tokens, from } = tool;
  const text = JSON.stringify({ name, description, parameters }, null, 2);
  return { title: name, text, tokens, language: "json", source: () => TOOL_SOURCES[from] };
}

function messagePart(message: PromptPreview["messages"][number] | undefined): Part | null {
  if (!message) return null;
  const { role, content, tokens } = message;
  return { title: sectionTitle(role), text: content, tokens, language: "markdown", source: () => "of this first call" };
}
