"use client";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { promptPreviewQuery } from "@/lib/client/agents/preview-queries";
import { sectionTitle } from "@/lib/client/agents/section-title";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import type { PromptPreview } from "@/lib/schema/agents/prompt";
import { PreviewFrame, usePreviewedVersion } from "./preview-frame";
import { PART_ID, PromptPart } from "./prompt-part";

const MODES = ["own", "plain", "minimal", "full"] as const;
const MODE_NAMES = { own: "As the agent has them", plain: "None", minimal: "Minimal", full: "All" };

const URL_STATE = {
  mode: parseAsStringLiteral(MODES).withDefault("own"),
  part: parseAsString,
};

/** The initial context of a new thread: by section, with tokens and each part's origin. */
export function PromptPreviewPage({ agentId }: { agentId: string }) {
  const [version, setVersion] = usePreviewedVersion();
  const [{ mode, part }, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const [message, setMessage] = useState("");
  const [sent, setSent] = useState("");
  const body = { version, ...(mode === "own" ? {} : { mode }), ...(sent.trim() === "" ? {} : { message: sent }) };
  const query = useQuery(promptPreviewQuery(agentId, body));
  return (
    <PreviewFrame
      {...{ agentId, version, query }}
      title="Prompt preview"
      what="prompt"
      onVersion={(id) => void setVersion(id)}
      actions={
        <Select
          look="bare"
          label="Prompt sections"
          value={mode}
          options={MODES.map((id) => ({ id, name: MODE_NAMES[id] }))}
          onChange={(id) => void setUrl({ mode: MODES.find((known) => known === id) ?? null })}
        />
      }
    >
      {(preview) => (
        <>
          <Total preview={preview} />
          <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
            <nav
              aria-label="Parts"
              className="w-[280px] shrink-0 overflow-y-auto border-r border-border p-2 max-lg:w-auto max-lg:border-r-0 max-lg:border-b"
            >
              <form
                className="px-2 pb-2"
                onSubmit={(event) => {
                  event.preventDefault();
                  setSent(message);
                }}
              >
                <TextField
                  label="With this message"
                  description="Enter tries it: memory and hooks may add what fits."
                  value={message}
                  onChange={setMessage}
                />
              </form>
              <PartGroups
                preview={preview}
                selected={part}
                onSelect={(id) => {
                  void setUrl({ part: id });
                  // On a phone it is below the list.
                  document.getElementById(PART_ID)?.scrollIntoView({ block: "nearest" });
                }}
              />
            </nav>
            <PromptPart agentId={agentId} preview={preview} selected={part} />
          </div>
        </>
      )}
    </PreviewFrame>
  );
}

const LOOKS = ["bg-kind-model", "bg-kind-tool", "bg-kind-hook"];

/** The window as a bar: sections, tools, messages. */
function Total({ preview }: { preview: PromptPreview }) {
  const { sections, tools, messages, window, windowFrom, text } = preview;
  const sums = [sections, tools, messages].map((list) => list.reduce((sum, { tokens }) => sum + tokens, 0));
  const total = sums.reduce((sum, tokens) => sum + tokens, 0);
  return (
    <section aria-label="Total" className="shrink-0 border-b border-border px-5 py-3">
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-xs bg-default">
        {sums.map((tokens, index) => (
          <span key={LOOKS[index]} className={LOOKS[index]} style={{ width: `${(tokens / window) * 100}%` }} />
        ))}
      </div>
      <p className="tnum mt-1.5 flex flex-wrap items-center gap-x-3 text-xs text-muted">
        <span className="text-sm font-medium text-foreground">
          {formatCount(total)} of {formatCount(window)} tokens
        </span>
        <span>
          {formatCount(sums[0] ?? 0)} system prompt, {formatCount(sums[1] ?? 0)} tools
          {messages.length === 0 ? "" : `, ${formatCount(sums[2] ?? 0)} messages`}; estimated
          {windowFrom === "assumed" ? "; the model's window is unknown, so this size is assumed" : ""}
        </span>
        <span className="ml-auto flex items-center gap-1">
          Copy the prompt <CopyButton text={text} label="Copy the prompt" />
        </span>
      </p>
    </section>
  );
}

interface PartGroupsProps {
  preview: PromptPreview;
  selected: string | null;
  onSelect: (id: string) => void;
}

/** In the order in which the model gets them. */
function PartGroups({ preview, selected, onSelect }: PartGroupsProps) {
  const { sections, tools, messages } = preview;
  const groups = [
    {
      title: "System prompt",
      empty: "No text: the agent has no system prompt.",
      parts: sections.map(({ name, tokens }, index) => ({ id: `section-${index}`, name: sectionTitle(name), tokens })),
    },
    {
      title: "Messages",
      empty: "Type a message to see what hooks make of it.",
      parts: messages.map(({ role, tokens }, index) => ({ id: `message-${index}`, name: sectionTitle(role), tokens })),
    },
    {
      title: "Tools",
      empty: "The model gets no tools.",
      parts: tools.map(({ name, tokens }, index) => ({ id: `tool-${index}`, name, tokens })),
    },
  ];
  const first = sections.length > 0 ? "section-0" : "tool-0";
  return groups.map(({ title, empty, parts }) => (
    <section key={title} aria-label={title} className="mb-3">
      <h2 className="tnum flex h-7 items-center justify-between px-2 text-xs text-muted">
        {title}
        <span>{formatCount(parts.reduce((sum, { tokens }) => sum + tokens, 0))}</span>
      </h2>
      {parts.length === 0 ? <p className="px-2 text-xs text-muted">{empty}</p> : null}
      <ul>
        {parts.map(({ id, name, tokens }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === (selected ?? first)}
              onClick={() => onSelect(id)}
              className={classNames(
                "flex h-7 w-full items-center justify-between gap-2 rounded-md px-2 text-left text-sm touch-row hover:bg-default",
                id === (selected ?? first) && "bg-selection font-medium",
              )}
            >
              <span className={classNames("truncate", title === "Tools" && "font-mono text-xs")}>{name}</span>
              <span className="tnum text-xs text-muted">{formatCount(tokens)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}
