"use client";
import { Cog } from "lucide-react";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { actionLabel, changeLabel, shortHash, targetLabel } from "@/lib/client/audit/entry-labels";
import { initials } from "@/lib/client/ui/text/format";
import type { AuditEntry } from "@/lib/schema/audit";

const COLUMNS = [
  { id: "when", label: "When", className: "w-28" },
  { id: "who", label: "Who", className: "w-40 max-md:w-auto" },
  { id: "did", label: "Did", className: "max-md:hidden" },
  { id: "what", label: "What", className: "max-md:hidden" },
  { id: "change", label: "Before → after", className: "max-lg:hidden" },
  { id: "hash", label: "Hash", align: "right", className: "w-24 max-md:hidden" },
] as const;

export interface AuditTableProps {
  entries: readonly AuditEntry[];
  selected: string;
  onSelect: (id: string) => void;
}

export function AuditTable({ entries, selected, onSelect }: AuditTableProps) {
  return (
    <Table label="Audit log" className="table-fixed">
      <TableHead columns={COLUMNS} />
      <tbody>
        {entries.map((entry) => (
          <AuditRow
            key={entry.id}
            entry={entry}
            isSelected={entry.id === selected}
            onSelect={() => onSelect(entry.id)}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface AuditRowProps {
  entry: AuditEntry;
  isSelected: boolean;
  onSelect: () => void;
}

function AuditRow({ entry, isSelected, onSelect }: AuditRowProps) {
  const change = changeLabel(entry);
  const did = actionLabel(entry.action);
  const what = targetLabel(entry);
  return (
    <TableRow isSelected={isSelected}>
      <TableCell className="text-muted">
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={onSelect}
          className="text-left after:absolute after:inset-0"
        >
          <Time at={entry.at} />
          <span className="sr-only">
            {" "}
            {who(entry)} {did}: {what}
          </span>
        </button>
      </TableCell>
      <TableCell className="truncate max-md:pt-1.5">
        <Who entry={entry} />
        <span className="block truncate pb-1.5 pl-7 text-xs text-muted md:hidden">
          {did}: {what}
        </span>
      </TableCell>
      <TableCell className="truncate max-md:hidden">{did}</TableCell>
      <TableCell className="truncate max-md:hidden">
        <span title={entry.target}>{what}</span>
      </TableCell>
      <TableCell className="truncate max-lg:hidden">
        {change ? (
          <>
            {change.before === null ? null : <span className="text-muted">{change.before} </span>}
            <span className="text-subtle">→</span> {change.after}
          </>
        ) : null}
      </TableCell>
      <TableCell align="right" className="font-mono text-2xs text-muted max-md:hidden">
        {shortHash(entry.hash)}
      </TableCell>
    </TableRow>
  );
}

export function who({ actor, actorName }: AuditEntry): string {
  return actorName ?? actor;
}

/** People have initials, the server itself an icon. */
function Who({ entry }: { entry: AuditEntry }) {
  const mark = "mr-2 inline-flex size-5 items-center justify-center rounded-full align-middle";
  return (
    <>
      {entry.actorName === null ? (
        <span className={mark} aria-hidden>
          <Cog className="size-3.5 text-muted" />
        </span>
      ) : (
        <span className={`${mark} bg-surface-tertiary text-2xs font-medium`} aria-hidden>
          {initials(entry.actorName)}
        </span>
      )}
      {who(entry)}
    </>
  );
}
