"use client";
import { useState } from "react";
import { randomId } from "@/lib/client/ui/random-id";
import { useAskBeforeLeaving } from "@/lib/client/ui/use-ask-before-leaving";
import { useFileDrop } from "./use-file-drop";

export interface Attachment {
  readonly id: string;
  readonly file: File;
}

export interface Attachments {
  readonly items: readonly Attachment[];
  /** Files hover over the page. */
  readonly isDropping: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: string) => void;
}

/** The files that go with the next message: chosen, pasted or dropped. `onRefused` when there is no place for them. */
export function useAttachments(mayAttach: boolean, onRefused: () => void): Attachments {
  const [items, setItems] = useState<readonly Attachment[]>([]);
  // A draft's words are kept, its files can't be.
  useAskBeforeLeaving(items.length > 0);
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    if (!mayAttach) return onRefused();
    setItems((before) => [...before, ...files.map((file) => ({ id: randomId(), file }))]);
  };
  return {
    items,
    isDropping: useFileDrop(add) && mayAttach,
    add,
    remove: (id) => setItems((before) => before.filter((item) => item.id !== id)),
  };
}
