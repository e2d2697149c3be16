"use client";
import { X } from "lucide-react";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { type FieldChange, fieldChanges, targetLabel } from "@/lib/client/audit/entry-labels";
import { formatCount, formatExact } from "@/lib/client/ui/text/format";
import type { AuditEntry } from "@/lib/schema/audit";
import { who } from "./audit-table";

export interface EntryDetailProps {
  entry: AuditEntry;
  /** The two entries before it in the chain, if they are loaded. */
  earlier: readonly AuditEntry[];
  onSelect: (id: string) => void;
  onTarget: (target: string) => void;
  onClose: () => void;
}

export function EntryDetail({ entry, earlier, onSelect, onTarget, onClose }: EntryDetailProps) {
  const changes = fieldChanges(entry);
  return (
    <aside
      aria-label="Entry"
      className="flex w-[328px] shrink-0 flex-col overflow-y-auto border-l border-border bg-surface max-lg:absolute max-lg:inset-0 max-lg:z-2 max-lg:w-auto max-lg:border-l-0"
    >
      <header className="flex h-9 shrink-0 items-center gap-1 border-b border-border pr-1 pl-4 text-xs max-lg:h-12">
        <h2 className="flex-1 text-sm font-medium">{titleOf(entry)}</h2>
        <CopyButton text={JSON.stringify(entry, null, 2)} label="Copy the entry" />
        <IconButton label="Close" onPress={onClose}>
          <X />
        </IconButton>
      </header>
      <dl className="grid grid-cols-[3.5rem_1fr] gap-x-3 gap-y-1 border-b border-border px-4 py-3 text-xs">
        <Fact name="When">{formatExact(Date.parse(entry.at))}</Fact>
        <Fact name="Who">{who(entry)}</Fact>
        {entry.ip === null && entry.keyId === null ? null : (
          <Fact name="From">
            {[entry.ip, entry.keyId === null ? null : `API key ${entry.keyId}`].filter(Boolean).join(", ")}
          </Fact>
        )}
        <Fact name="Did">
          <code className="font-mono">{entry.action}</code>
        </Fact>
        <Fact name="What">
          <button
            type="button"
            title={`Show everything about ${entry.target}`}
            onClick={() => onTarget(entry.target)}
            className="text-link hover:underline"
          >
            {targetLabel(entry)}
          </button>
        </Fact>
      </dl>
      <section className="border-b border-border px-4 py-3 text-xs">
        <h3 className="mb-2 font-medium">What changed</h3>
        {changes.length === 0 ? (
          <p className="text-muted">Nothing but that it was done.</p>
        ) : (
          <div className="overflow-hidden rounded-md border border-border bg-code py-1 font-mono leading-[19px]">
            {changes.map((change) => (
              <Change key={change.name} change={change} />
            ))}
          </div>
        )}
        {entry.isErased ? (
          <p className="mt-2 text-muted">
            The values were erased with the person they were about. The chain holds over what remains.
          </p>
        ) : null}
        <p className="mt-2 text-muted">Secrets never appear here, only that they were set.</p>
      </section>
      <section className="px-4 py-3 text-xs">
        <h3 className="mb-2 font-medium">In the chain</h3>
        <Chain entry={entry} earlier={earlier} onSelect={onSelect} />
      </section>
    </aside>
  );
}

function titleOf({ number }: AuditEntry): string {
  return number === null || number === 0 ? "Entry" : `Entry ${formatCount(number)}`;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Change({ change: { name, before, after } }: { change: FieldChange }) {
  return (
    <>
      {before === undefined ? null : (
        <p className="bg-diff-del px-2 break-words">
          <span className="text-fail-text">− </span>
          {name}: {before}
        </p>
      )}
      {after === undefined ? null : (
        <p className={`px-2 break-words ${before === undefined ? "" : "bg-diff-add"}`}>
          <span className="text-ok-text">{before === undefined ? "" : "+ "}</span>
          {name}: {after}
        </p>
      )}
    </>
  );
}

function Chain({ entry, earlier, onSelect }: Pick<EntryDetailProps, "entry" | "earlier" | "onSelect">) {
  if (entry.number === null) return <p className="text-muted">It is linked within seconds.</p>;
  if (entry.number === 0) return <p className="text-muted">Not chained: it is from before there was a chain.</p>;
  return (
    <>
      <ol className="flex flex-col gap-1.5 border-l border-border pl-3">
        {[entry, ...earlier].map((link, index) => (
          <li key={link.id} className={index === 0 ? "" : "text-muted"}>
            <button type="button" disabled={index === 0} onClick={() => onSelect(link.id)} className="tnum">
              {formatCount(link.number ?? 0)}
            </button>{" "}
            <code className="font-mono text-2xs">{(link.hash ?? "").slice(0, 16)}</code>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-muted">
        Each hash covers the entry and the hash before it. Changing one old entry breaks every later one.
      </p>
    </>
  );
}
