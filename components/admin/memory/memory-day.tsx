"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import { longDay, notePath } from "@/lib/client/memory/memory-labels";
import { createMemory, memoryDaysQuery } from "@/lib/client/memory/memory-queries";
import { useAction } from "@/lib/client/ui/use-action";
import type { MemoryDocument } from "@/lib/schema/files/memory";
import type { MemoryPlace } from "./memory-page";

interface MemoryDayProps {
  place: MemoryPlace;
  day: string;
  back: ReactNode;
  onOpen: (document: { id: string; path: string }) => void;
}

/** A day of the calendar; if it has exactly one note, that opens at once. */
export function MemoryDay({ place, day, back, onOpen }: MemoryDayProps) {
  const days = useQuery({ ...memoryDaysQuery(place, day.slice(0, 7)), placeholderData: undefined });
  const notes = days.data?.find(({ date }) => date === day)?.documents ?? [];
  const only = notes.length === 1 ? notes[0] : undefined;
  useEffect(() => {
    if (only) onOpen(only);
  }, [only, onOpen]);
  return (
    <>
      <PageHead lead={back} title={longDay(day)} />
      <QueryState what="notes" query={days}>
        {() =>
          notes.length === 0 ? (
            <NoNotes place={place} day={day} onOpen={onOpen} />
          ) : (
            <Notes notes={notes} onOpen={onOpen} />
          )
        }
      </QueryState>
    </>
  );
}

function NoNotes({ place, day, onOpen }: Omit<MemoryDayProps, "back">) {
  const { mutate, isPending } = useAction({
    mutationFn: () =>
      createMemory({
        agentId: place.agentId,
        userId: place.userId,
        path: notePath(day),
        content: `# ${day}\n\n`,
      }),
    onSuccess: onOpen,
    invalidates: [MEMORY_KEY],
  });
  return (
    <EmptyState
      title={`No notes on ${longDay(day)}.`}
      actions={
        <Button isPending={isPending} onPress={() => mutate()}>
          Write a note
        </Button>
      }
    >
      Runs add notes with <code>memory_append</code>.
    </EmptyState>
  );
}

/** If each thread has its own files, a day may have several notes. */
function Notes({ notes, onOpen }: { notes: readonly MemoryDocument[]; onOpen: MemoryDayProps["onOpen"] }) {
  return (
    <ul aria-label="Notes" className="p-2">
      {notes.map((note) => (
        <li key={note.id}>
          <button
            type="button"
            onClick={() => onOpen(note)}
            className="block w-full rounded-md px-3 py-2 text-left text-sm hover:bg-default"
          >
            {note.threadId === null ? note.path : `Thread ${note.threadId}`}
          </button>
        </li>
      ))}
    </ul>
  );
}
