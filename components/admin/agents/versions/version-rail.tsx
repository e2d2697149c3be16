"use client";
import type { ReactNode } from "react";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { useVersionUsage } from "@/lib/client/usage/agent-usage";
import { USAGE_PERIODS } from "@/lib/client/usage/use-usage-view";
import type { AgentVersionSummary } from "@/lib/schema/agents/agent-api";
import { SideBadge, type Sides, sideName } from "./side";

export interface VersionRailProps {
  editor: AgentEditor;
  versions: readonly AgentVersionSummary[];
  sides: Sides;
  hasDraft: boolean;
  onSide: (sides: { from?: string; to?: string }) => void;
}

/** The draft and every version, newest first, with author, time and note. */
export function VersionRail({ editor, versions, sides, hasDraft, onSide }: VersionRailProps) {
  const { agent, state, changes } = editor;
  const runsOf = useRunsOf(agent.id);
  const count = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  return (
    <aside
      aria-label="Versions"
      className="flex w-[264px] shrink-0 flex-col border-r border-border bg-background max-lg:w-auto max-lg:border-r-0 max-lg:border-b"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 border-b border-border px-4 text-xs">
        <h2 className="text-sm font-medium">Versions</h2>
        <span className="text-muted">{versions.length}, kept forever</span>
      </header>
      <ol className="min-h-0 flex-1 overflow-y-auto p-2 max-lg:max-h-56">
        {hasDraft ? (
          <RailRow side="draft" sides={sides} onSide={onSide} name={sideName("draft", editor)}>
            <span className="block truncate text-xs text-muted">
              {count} since v{agent.version}
            </span>
            <span className="block truncate text-2xs text-subtle">
              {state.stored.updatedByName === null ? null : `${state.stored.updatedByName}, `}
              {state.stored.revision > 0 ? <Time at={state.stored.updatedAt} isInSentence /> : "not saved yet"}
            </span>
          </RailRow>
        ) : null}
        {versions.map(({ number, aliases, note, createdAt, createdByName, current }) => (
          <RailRow
            key={number}
            side={String(number)}
            sides={sides}
            onSide={onSide}
            name={`v${number}`}
            facts={
              <>
                {current ? <Tag className="h-4!">live</Tag> : null}
                {aliases.map((alias) => (
                  <Tag key={alias} mono className="h-4!">
                    @{alias}
                  </Tag>
                ))}
              </>
            }
          >
            <span className="block truncate text-xs text-muted">{note ?? "No note"}</span>
            <span className="block truncate text-2xs text-subtle">
              {createdByName ?? "Ringmaster"}, <Time at={createdAt} isInSentence />
              {runsOf(number)}
            </span>
          </RailRow>
        ))}
      </ol>
    </aside>
  );
}

/** ", 12 runs in the last 30 days", for the page's period; empty while unknown. */
function useRunsOf(agentId: string): (version: number) => string {
  const { rows, view } = useVersionUsage(agentId);
  const period = USAGE_PERIODS.find(({ id }) => id === view.url.period)?.days ?? 30;
  return (version) => {
    if (rows === null) return "";
    const runs = rows.find((row) => row.version === version)?.runs ?? 0;
    return `, ${formatCount(runs)} ${runs === 1 ? "run" : "runs"} in ${period} days`;
  };
}

interface RailRowProps extends Pick<VersionRailProps, "sides" | "onSide"> {
  side: string;
  name: string;
  facts?: ReactNode;
  children: ReactNode;
}

/** A click makes it side A, and the draft side B; the keys `a` and `b` choose a side while the row is focused. */
function RailRow({ side, name, facts, sides, onSide, children }: RailRowProps) {
  const letter = side === sides.to ? "B" : side === sides.from ? "A" : null;
  return (
    <li>
      <button
        type="button"
        aria-pressed={letter !== null}
        onClick={() => onSide(side === "draft" ? { to: side } : { from: side })}
        onKeyDown={({ key }) => {
          if (key === "a") onSide({ from: side });
          if (key === "b") onSide({ to: side });
        }}
        className={classNames(
          "mb-0.5 flex w-full gap-2 rounded-md px-2 py-1.5 text-left hover:bg-default",
          letter !== null && "bg-surface-tertiary",
        )}
      >
        <span className="pt-0.5">
          <SideBadge letter={letter} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5 text-sm">
            <span className="tnum font-medium">{name}</span>
            {facts}
          </span>
          {children}
        </span>
      </button>
    </li>
  );
}
