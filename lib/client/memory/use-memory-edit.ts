"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { withLineEnds } from "@/lib/client/files/use-file-edit";
import { errorMessage } from "@/lib/client/http/api";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { MemoryDetail } from "@/lib/schema/files/memory";
import { conflictOf, memoryDocumentQuery, type SaveMemory, saveMemory } from "./memory-queries";
import { mergeTexts } from "./merge-texts";

/** The text being typed: the browser keeps it until it is saved, with the version and text it started from. */
const Draft = z.object({ version: z.number(), base: z.string(), text: z.string() }).nullable();

/** A version saved while this text was being edited. */
export interface MemoryConflict {
  readonly theirs: MemoryDetail;
  readonly mine: string;
  /** Null if both changed the same lines. */
  readonly merged: string | null;
  readonly merge: () => void;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

export interface MemoryEdit {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly save: () => void;
  readonly discard: () => void;
  readonly conflict: MemoryConflict | null;
}

/** The edit of one document. A text survives a reload of the page; `save` does nothing while there is a conflict. */
export function useMemoryEdit(current: MemoryDetail): MemoryEdit {
  const queryClient = useQueryClient();
  const { value: draft, set } = useRemembered(`memory-draft:${current.id}`, Draft);
  const { queryKey } = memoryDocumentQuery(current.id);
  const { mutate, isPending } = useMutation({
    mutationFn: (body: SaveMemory) => saveMemory(current.id, body),
    onSuccess: (saved, { content }) => {
      queryClient.setQueryData(queryKey, saved);
      // Text typed since the save began still has to be saved.
      const hasTypedOn = draft !== null && draft.text !== content;
      set(hasTypedOn ? { version: saved.version, base: saved.content, text: draft.text } : null);
      showToast({ title: `Saved ${saved.path} as v${saved.version}` });
    },
    onError: (error) => {
      const theirs = conflictOf(error);
      if (theirs) queryClient.setQueryData(queryKey, theirs);
      else showToast({ title: errorMessage(error), tone: "error" });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: MEMORY_KEY }),
  });
  // Another version's text is a conflict only if it differs from what the draft started from.
  const isBehind = draft !== null && draft.version !== current.version && draft.base !== current.content;
  const text = draft?.text ?? current.content;
  const isDirty = text !== current.content;
  const type = (typed: string) => {
    const next = withLineEnds(typed.replaceAll("\r\n", "\n"), current.content);
    set(next === current.content && !isBehind ? null : { ...(draft ?? startOf(current)), text: next });
  };
  return {
    text,
    setText: type,
    isDirty,
    isSaving: isPending,
    save: () => {
      if (isDirty && !isPending && !isBehind) mutate({ content: text, version: current.version });
    },
    discard: () => set(null),
    conflict: isBehind && isDirty ? conflictWith(current, draft, { set, mutate }) : null,
  };
}

function startOf({ version, content }: MemoryDetail) {
  return { version, base: content, text: content };
}

type Started = NonNullable<z.infer<typeof Draft>>;

interface Actions {
  readonly set: (draft: Started | null) => void;
  readonly mutate: (body: SaveMemory) => void;
}

function conflictWith(theirs: MemoryDetail, { base, text }: Started, { set, mutate }: Actions): MemoryConflict {
  const merged = mergeTexts(base, text, theirs.content);
  const continueWith = (typed: string) => set({ version: theirs.version, base: theirs.content, text: typed });
  return {
    theirs,
    mine: text,
    merged,
    merge: () => {
      if (merged !== null) continueWith(merged);
    },
    keepMine: () => {
      continueWith(text);
      mutate({ content: text, version: theirs.version });
    },
    takeTheirs: () => set(null),
  };
}
