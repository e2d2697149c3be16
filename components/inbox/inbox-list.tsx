"use client";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { PausedRing } from "@/components/ui/states/paused-ring";
import { StateRing } from "@/components/ui/states/state-ring";
import { Count } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { askGist, askTitle, NOTE_ICONS, sourceIcon, sourceText } from "@/lib/client/inbox/inbox-labels";
import { rowId } from "@/lib/client/inbox/use-inbox-choice";
import { classNames } from "@/lib/client/ui/class-names";
import type { InboxNote } from "@/lib/schema/inbox/inbox-note";
import type { Approval } from "@/lib/schema/runs/interrupt";

export interface InboxListProps {
  approvals: readonly Approval[];
  notes: readonly InboxNote[];
  totals: { readonly approvals: number; readonly notes: number };
  openId: string | null;
  onOpen: (id: string) => void;
  /** Below the asks: the rest of them. */
  more: ReactNode;
}

/** What needs the viewer, longest wait first, and below it what they should know of. */
export function InboxList({ approvals, notes, totals, openId, onOpen, more }: InboxListProps) {
  return (
    <>
      {approvals.length === 0 ? null : (
        <Group name="Waiting for you" count={totals.approvals} isSignal>
          {approvals.map((approval) => (
            <Row
              key={approval.id}
              id={approval.id}
              isOpen={approval.id === openId}
              onOpen={onOpen}
              ring={<StateRing status="waiting" labelled />}
              title={askTitle(approval)}
              detail={<span className="text-signal-text">{askGist(approval)}</span>}
              icon={sourceIcon(approval)}
              source={sourceText(approval)}
              at={approval.waitingSince}
              className="shadow-[inset_2px_0_0_var(--signal)]"
            />
          ))}
        </Group>
      )}
      {more}
      {notes.length === 0 ? null : (
        <Group name="To know" count={totals.notes}>
          {notes.map((note) => (
            <Row
              key={note.id}
              id={note.id}
              isOpen={note.id === openId}
              onOpen={onOpen}
              ring={<NoteRing note={note} />}
              title={note.title}
              detail={<span className="text-muted">{note.detail}</span>}
              icon={NOTE_ICONS[note.kind]}
              source={note.source}
              at={note.createdAt}
            />
          ))}
        </Group>
      )}
    </>
  );
}

interface GroupProps {
  name: string;
  count: number;
  isSignal?: boolean;
  children: ReactNode;
}

function Group({ name, count, isSignal = false, children }: GroupProps) {
  return (
    <section aria-label={name}>
      <h2 className="flex h-8 items-center gap-1.5 border-b border-separator bg-surface-secondary px-4 text-xs text-muted">
        {name} <Count signal={isSignal}>{count}</Count>
      </h2>
      <ul aria-label={name}>{children}</ul>
    </section>
  );
}

const NOTE_STATUS: Readonly<Record<Exclude<InboxNote["kind"], "schedule">, "failed" | "limit" | "completed">> = {
  delivery: "failed",
  board: "completed",
  alert: "limit",
  key: "completed",
  agent: "completed",
};

export function NoteRing({ note: { kind } }: { note: Pick<InboxNote, "kind"> }) {
  if (kind !== "schedule") return <StateRing status={NOTE_STATUS[kind]} />;
  return (
    <span className="flex text-fail-text">
      <PausedRing size={14} />
    </span>
  );
}

interface RowProps {
  id: string;
  isOpen: boolean;
  onOpen: (id: string) => void;
  ring: ReactNode;
  title: string;
  detail: ReactNode;
  icon: LucideIcon;
  source: string;
  at: string;
  className?: string;
}

/** Three lines: what is asked, about what, and from where. */
function Row({ id, isOpen, onOpen, ring, title, detail, icon: Icon, source, at, className }: RowProps) {
  return (
    <li className="border-b border-separator">
      <button
        type="button"
        id={rowId(id)}
        aria-current={isOpen ? "true" : undefined}
        onClick={() => onOpen(id)}
        className={classNames(
          "grid w-full grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 gap-y-0.5 py-2.5 pr-3 pl-4 text-left text-sm -outline-offset-2 hover:bg-default lg:aria-[current=true]:bg-selection",
          className,
        )}
      >
        <span className="flex h-5 items-center">{ring}</span>
        <span className="truncate font-medium" title={title}>
          {title}
        </span>
        <Time at={at} className="tnum text-xs text-muted" />
        <span className="col-span-2 col-start-2 truncate text-xs">{detail}</span>
        <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1.5 text-xs text-muted">
          <Icon className="size-3.5 shrink-0" strokeWidth={1.75} aria-hidden />
          <span className="truncate">{source}</span>
        </span>
      </button>
    </li>
  );
}
