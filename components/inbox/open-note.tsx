"use client";
import { Check } from "lucide-react";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { Time } from "@/components/ui/time";
import { NOTE_ICONS } from "@/lib/client/inbox/inbox-labels";
import type { InboxNote } from "@/lib/schema/inbox/inbox-note";
import { type DetailPlace, InboxDetail } from "./inbox-detail";
import { NoteRing } from "./inbox-list";

const OPEN_LABELS: Readonly<Record<InboxNote["kind"], string>> = {
  schedule: "Open schedule",
  delivery: "Open",
  board: "Open board",
  alert: "Open",
  key: "Open keys",
  agent: "Open agent",
};

interface OpenNoteProps {
  note: InboxNote;
  place: DetailPlace;
  onDone: () => void;
}

/** Something to know: what happened, when, and where to look at it. It asks for nothing but to be marked as done. */
export function OpenNote({ note, place, onDone }: OpenNoteProps) {
  const { kind, title, detail, source, path, createdAt } = note;
  return (
    <InboxDetail
      icon={NOTE_ICONS[kind]}
      title={source}
      facts={null}
      place={place}
      actions={<LinkButton href={path}>{OPEN_LABELS[kind]}</LinkButton>}
    >
      <p className="flex items-center gap-2 text-sm font-medium">
        <NoteRing note={note} />
        {title}
        <Time at={createdAt} className="ml-auto text-xs font-normal text-muted" />
      </p>
      {detail === "" ? null : <p className="mt-2 text-sm whitespace-pre-wrap wrap-anywhere text-muted">{detail}</p>}
      <p className="mt-4">
        <Button onPress={onDone}>
          <Check aria-hidden />
          Done
          <Kbd>e</Kbd>
        </Button>
      </p>
    </InboxDetail>
  );
}
