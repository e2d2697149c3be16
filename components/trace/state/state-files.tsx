"use client";
import type { Compared, StateChanges } from "@/lib/client/trace/state/state-changes";
import { classNames } from "@/lib/client/ui/class-names";
import { formatBytes, formatCount } from "@/lib/client/ui/text/format";
import type { RunState, StateFile } from "@/lib/schema/traces/run-state";
import { MissingNote } from "./missing-note";

/** Rows that are mounted before the reader narrows them down: thousands would hold up the page. */
const MOST_ROWS = 500;

export interface StateFilesProps {
  state: RunState;
  files: StateChanges["files"];
  shown: string | null;
  onShow: (path: string) => void;
}

/** The files of then, with the step that changed each; those that differ from the compared step have a blue edge. */
export function StateFiles({ state, files, shown, onShow }: StateFilesProps) {
  const rows = files.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_ROWS);
  return (
    <section
      aria-label="Files"
      className="flex w-75 shrink-0 flex-col overflow-y-auto border-r border-border max-lg:max-h-56 max-lg:w-auto max-lg:border-r-0 max-lg:border-b"
    >
      <h2 className="sr-only">Files</h2>
      {state.files?.length === 0 && rows.length === 0 ? (
        <p className="p-4 text-sm text-muted">There were no files.</p>
      ) : null}
      <ul>
        {rows.map((row) => (
          <FileRow key={row.item.path} row={row} isShown={row.item.path === shown} onShow={onShow} />
        ))}
      </ul>
      {files.length > rows.length || state.hasMoreFiles ? (
        <p className="px-4 py-3 text-xs text-muted">
          The first {formatCount(rows.length)} are shown, those that differ first.
        </p>
      ) : null}
      <MissingNote state={state} part="files" />
    </section>
  );
}

function rank({ change }: Compared<StateFile>): number {
  return change === null ? 1 : 0;
}

const CHANGES = { added: "added", removed: "deleted", changed: null } as const;

interface FileRowProps {
  row: Compared<StateFile>;
  isShown: boolean;
  onShow: (path: string) => void;
}

function FileRow({ row: { item, change }, isShown, onShow }: FileRowProps) {
  const word = change === null ? null : CHANGES[change];
  return (
    <li className="border-b border-border">
      <button
        type="button"
        aria-current={isShown}
        onClick={() => onShow(item.path)}
        className={classNames(
          "flex w-full gap-2 px-4 py-1.5 text-left text-xs hover:bg-default",
          change !== null && "shadow-[inset_3px_0_0_var(--link)]",
          isShown && "bg-live-soft",
        )}
      >
        <span className="min-w-0 flex-1">
          <span className={classNames("block truncate font-mono", change === "removed" && "line-through")}>
            {item.path}
          </span>
          <span className="tnum block text-2xs text-muted">
            {item.isKept ? formatBytes(item.sizeBytes ?? 0) : "cleaned up"}
            {word === null ? "" : `, ${word}`}
          </span>
        </span>
        <span className="tnum shrink-0 text-2xs text-muted">
          {item.changedAtStep === null ? "before" : `step ${item.changedAtStep}`}
        </span>
      </button>
    </li>
  );
}
