"use client";
import type { ReadMatch } from "@/lib/client/trace/read/use-reading";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import type { ReadPassage, ReadRun } from "@/lib/schema/traces/read-trace";

export interface ReadOutlineProps {
  run: ReadRun;
  /** The passage in view. */
  current: string | null;
  matches: readonly ReadMatch[];
  onGo: (passageId: string) => void;
}

interface Entry {
  readonly id: string;
  readonly word: string;
  readonly workedMs: number | null;
  hasWait: boolean;
  readonly passageIds: string[];
}

/** The steps of the run with their time; hatched brass where a person was waited for. */
export function ReadOutline({ run, current, matches, onGo }: ReadOutlineProps) {
  const entries = entriesOf(run.passages);
  const folded = matches.filter(({ isFolded }) => isFolded).length;
  return (
    <nav
      aria-label="Steps"
      className="w-53 shrink-0 overflow-y-auto border-r border-border bg-background p-2 max-lg:hidden"
    >
      <ul>
        {entries.map((entry) => {
          const isCurrent = current !== null && entry.passageIds.includes(current);
          return (
            <li key={entry.id}>
              <button
                type="button"
                aria-current={isCurrent}
                onClick={() => onGo(entry.id)}
                className={classNames(
                  "tnum flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-xs hover:bg-default",
                  isCurrent && "bg-default font-medium",
                )}
              >
                <span className="flex-1">{entry.word}</span>
                {entry.hasWait ? (
                  <span
                    role="img"
                    aria-label="A person was waited for"
                    className="hatch h-2.5 w-3.5 rounded-xs border border-signal [--hatch:var(--signal)]"
                  />
                ) : null}
                {entry.workedMs === null ? null : (
                  <span className="font-normal text-muted">{formatDuration(entry.workedMs)}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {matches.length === 0 ? null : (
        <p className="tnum px-2 pt-3 text-xs text-muted">
          {matches.length === 1 ? "1 hit" : `${formatCount(matches.length)} hits`}
          {folded === 0 ? "" : `, ${formatCount(folded)} of them in folded text`}
        </p>
      )}
    </nav>
  );
}

function entriesOf(passages: readonly ReadPassage[]): Entry[] {
  const entries: Entry[] = [];
  for (const passage of passages) {
    const last = entries.at(-1);
    if (passage.kind === "step") {
      const { id, step, workedMs } = passage;
      entries.push({ id, word: `Step ${step}`, workedMs, hasWait: false, passageIds: [id] });
    } else if (last === undefined) {
      entries.push({ id: passage.id, word: "Message", workedMs: null, hasWait: false, passageIds: [passage.id] });
    } else {
      last.passageIds.push(passage.id);
      if (passage.kind === "wait") last.hasWait = true;
    }
  }
  return entries;
}
