"use client";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { percentText } from "@/lib/client/agents/context/rule-titles";
import { sectionTitle } from "@/lib/client/agents/section-title";
import type { ContextGroup } from "@/lib/client/chat/context/context-summary";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { pluralize } from "@/lib/client/ui/text/pluralize";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";
import { GROUP_LOOKS } from "./context-bar";

export const NO_RESULTS: ThreadContext["results"] = [];

interface GroupRowProps {
  group: ContextGroup;
  share: number | null;
  /** Results of single calls, the largest first. */
  results: ThreadContext["results"];
  /** The number of items it contains, in words. */
  words: string;
}

/** One part; the system prompt and other parts with several sections expand into them. */
export function GroupRow({ group, share, results, words }: GroupRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, title, tokens, parts } = group;
  const isParted = parts.length > 1 || results.length > 0;
  const inner = (
    <>
      <ChevronRight
        aria-hidden
        className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90", !isParted && "invisible")}
      />
      <span aria-hidden="true" className={classNames("size-2 shrink-0 rounded-xs", GROUP_LOOKS[name])} />
      <span className="min-w-0 truncate">{title}</span>
      {words === "" ? null : <span className="truncate text-xs text-muted">{words}</span>}
      <span className="flex-1" />
      <span className="tnum">{formatCount(tokens)}</span>
      {share === null ? null : <span className="tnum w-9 text-right text-xs text-muted">{percentText(share)}</span>}
    </>
  );
  const look = "flex h-7 w-full items-center gap-1.5 rounded-md px-1 text-left text-sm";
  return (
    <li>
      {isParted ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className={`${look} touch-row hover:bg-default`}
        >
          {inner}
        </button>
      ) : (
        <span className={look}>{inner}</span>
      )}
      {isOpen && results.length > 0 ? <Results results={results} /> : null}
      {isOpen && results.length === 0 ? (
        <ul className="mb-1 ml-10 text-xs">
          {parts.map((part) => (
            <li key={part.name} className="flex justify-between gap-2 py-0.5 pr-1">
              <span className="min-w-0 truncate text-muted">{sectionTitle(part.name)}</span>
              <span className="tnum">{formatCount(part.tokens)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

/** "7 sections", "19 tools", "3 of 14 named", "summary and 5", "13 results, 2 cut". */
export function groupText({ name, parts }: ContextGroup, { counts, results }: ThreadContext): string {
  if (name === "tools") return pluralize(counts.tools, "tool");
  if (name === "skills" && counts.skills !== null) return `${counts.skills.named} of ${counts.skills.all} named`;
  if (name === "memory" && counts.documents !== null) return pluralize(counts.documents, "document");
  if (name === "messages") return messageText(parts, counts.messages);
  if (name === "tool_results") return resultText(results.length, counts.cutResults);
  return parts.length > 1 ? `${parts.length} sections` : "";
}

function messageText(parts: ContextGroup["parts"], count: number): string {
  const hasSummary = parts.some((part) => part.name !== "messages");
  return hasSummary ? `summary and ${formatCount(count)}` : pluralize(count, "message");
}

function resultText(count: number, cutCount: number): string {
  const cut = cutCount > 0 ? `, ${formatCount(cutCount)} cut` : "";
  return count === 0 ? "" : `${pluralize(count, "result")}${cut}`;
}

const FIRST_RESULTS = 5;

function Results({ results }: Pick<GroupRowProps, "results">) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? results : results.slice(0, FIRST_RESULTS);
  return (
    <>
      <ul aria-label="Results by size" className="ml-10 text-xs">
        {shown.map(({ tool, gist, tokens, cutFrom }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two calls may be alike.
          <li key={index} className="flex justify-between gap-2 py-0.5 pr-1">
            <span className="min-w-0 truncate font-mono" title={gist}>
              {tool} <span className="text-muted">{gist}</span>
            </span>
            <span className={classNames("tnum shrink-0", cutFrom !== null && "text-muted")}>
              {cutFrom === null ? formatCount(tokens) : `cut to ${formatCount(tokens)} of ${formatCount(cutFrom)}`}
            </span>
          </li>
        ))}
      </ul>
      {isWhole || results.length <= FIRST_RESULTS ? null : (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="mb-1 ml-10 text-xs text-link hover:underline touch-target"
        >
          {results.length - FIRST_RESULTS} more
        </button>
      )}
    </>
  );
}
