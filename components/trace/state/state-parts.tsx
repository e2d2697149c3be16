"use client";
import { STATE_PARTS, type StateChanges, type StatePart } from "@/lib/client/trace/state/state-changes";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import type { RunState } from "@/lib/schema/traces/run-state";

export const PART_LABELS: Readonly<Record<StatePart, string>> = {
  files: "Files",
  plan: "Plan",
  memory: "Memory",
  summary: "Summary",
  prompt: "Prompt",
  tools: "Tools",
  rules: "Rules",
};

export interface StatePartsProps {
  state: RunState;
  changes: StateChanges;
  shown: StatePart;
  onShow: (part: StatePart) => void;
}

/** What there is of a state, with how much of it differs from the compared step. */
export function StateParts({ state, changes, shown, onShow }: StatePartsProps) {
  return (
    <ul
      aria-label="Parts of the state"
      className="w-66 shrink-0 overflow-y-auto border-r border-border bg-background p-2 max-lg:flex max-lg:w-auto max-lg:gap-1 max-lg:overflow-x-auto max-lg:border-r-0 max-lg:border-b"
    >
      {STATE_PARTS.map((part) => (
        <li key={part} className="max-lg:shrink-0">
          <button
            type="button"
            aria-current={part === shown}
            onClick={() => onShow(part)}
            className={classNames(
              "tnum flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-xs touch-row hover:bg-default",
              part === shown && "bg-default font-medium",
            )}
          >
            <span className="min-w-0 flex-1 truncate">{PART_LABELS[part]}</span>
            {changes.counts[part] > 0 ? (
              <span className="font-normal text-link">{formatCount(changes.counts[part])} changed</span>
            ) : null}
            <span className="font-normal text-muted">{sizeOf(state, part)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How much there is of a part; "unknown" where it is missing. */
function sizeOf(state: RunState, part: StatePart): string {
  switch (part) {
    case "files":
      return countOf(state.files) + (state.hasMoreFiles ? "+" : "");
    case "plan":
      return countOf(state.todos);
    case "memory":
      return countOf(state.memory);
    case "tools":
      return countOf(state.toolNames);
    case "summary":
      return wordOf(state, "summary", state.summary, "none");
    case "prompt":
      return wordOf(state, "prompt", state.promptHash, "unknown");
    case "rules":
      return wordOf(state, "rules", state.rules, "unknown");
  }
}

function countOf(items: readonly unknown[] | null): string {
  return items === null ? "unknown" : formatCount(items.length);
}

function wordOf(state: RunState, part: "summary" | "prompt" | "rules", value: unknown, absent: string): string {
  if (value !== null) return "";
  return state.missing.some((one) => one.part === part) ? "unknown" : absent;
}
