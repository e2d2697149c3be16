"use client";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { randomId } from "@/lib/client/ui/random-id";
import { formatBytes } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAskBeforeLeaving } from "@/lib/client/ui/use-ask-before-leaving";
import { useFileDrop } from "./use-file-drop";

export interface Attachment {
  readonly id: string;
  readonly file: File;
  /** Why no model could read it, so that it is not sent. */
  readonly problem?: string;
}

export interface Attachments {
  readonly items: readonly Attachment[];
  /** Files are being dragged over the page. */
  readonly isDropping: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: string) => void;
  /** Why one of them can't be sent, once all are checked; null at once if there is nothing to check. */
  readonly findProblem: () => Promise<string | null> | null;
  /** They leave with a message; the sender forgets them once the server has them (`forgetFiles`). */
  readonly release: (ids: readonly string[]) => void;
}

export interface AttachmentOptions {
  readonly mayAttach: boolean;
  /** Files can't be attached here. */
  readonly onRefused: () => void;
  /** The place where they are kept until sent: the thread, or whose start page. */
  readonly place?: string | undefined;
}

/** Per file: the server's limit. */
const MAX_BYTES = 32 * 2 ** 20;
/** These have limits that show only when they are read. */
const CHECKED_NAME = /\.(?:pdf|docx|xlsx)$/iu;
const MARK = "ringmaster-attached:";

/** The files for the next message: chosen, pasted or dropped. A reload keeps them. */
export function useAttachments({ mayAttach, onRefused, place }: AttachmentOptions): Attachments {
  const [items, setItems] = useState<readonly Attachment[]>([]);
  const [unkept, setUnkept] = useState<ReadonlySet<string>>(new Set());
  useAskBeforeLeaving(items.some(({ id }) => unkept.has(id)));

  const checks = useRef(new Map<string, Promise<string | null>>());
  const check = (added: readonly Attachment[]) => {
    for (const { id, file } of added.filter(({ file: { name } }) => CHECKED_NAME.test(name))) {
      const checked = loadCheck().then(({ checkDocument }) => checkDocument(file));
      // Whoever reads it will find out.
      const found = checked.catch(() => null);
      checks.current.set(id, found);
      void found.then((problem) => {
        if (problem === null) return;
        setItems((now) => now.map((item) => (item.id === id ? { ...item, problem } : item)));
      });
    }
  };

  const restore = useEffectEvent(async (from: string) => {
    const kept = await (await loadKept()).keptFiles(from);
    check(kept);
    setItems((now) => [...kept.filter(({ id }) => !now.some((item) => item.id === id)), ...now]);
    if (kept.length === 0) mark(from, false);
  });
  useEffect(() => {
    if (place !== undefined && isMarked(place)) restore(place).catch(() => undefined);
  }, [place]);

  const keep = async (item: Attachment) => {
    setUnkept((now) => new Set([...now, item.id]));
    if (place === undefined) return;
    mark(place, true);
    await (await loadKept()).keepFile(place, item);
    setUnkept((now) => new Set([...now].filter((id) => id !== item.id)));
  };
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    if (!mayAttach) return onRefused();
    const added = files.filter(isSmallEnough).map((file) => ({ id: randomId(), file }));
    setItems((before) => [...before, ...added]);
    check(added);
    // Storage may be full or forbidden; they then live as long as the page, which asks before it is left.
    for (const item of added) keep(item).catch(() => undefined);
  };
  const release = (ids: readonly string[]) => setItems((before) => before.filter(({ id }) => !ids.includes(id)));
  return {
    items,
    isDropping: useFileDrop(add) && mayAttach,
    add,
    release,
    findProblem() {
      const asked = items.flatMap(({ id }) => checks.current.get(id) ?? []);
      if (asked.length === 0) return null;
      return Promise.all(asked).then((problems) => problems.find((problem) => problem !== null) ?? null);
    },
    remove(id) {
      const gone = items.filter((item) => item.id === id).map(({ file }) => file);
      release([id]);
      if (place !== undefined) void forgetSent(gone);
    },
  };
}

/** Once the server has them. */
export async function forgetSent(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  await loadKept()
    .then(({ forgetFiles }) => forgetFiles(files))
    .catch(() => undefined);
}

/** Most messages have no files. */
function loadKept() {
  return import("./kept-attachments");
}

function loadCheck() {
  return import("./check-document");
}

function isSmallEnough(file: File): boolean {
  if (file.size <= MAX_BYTES) return true;
  const description = `It has ${formatBytes(file.size)}, and a file may have ${formatBytes(MAX_BYTES)}.`;
  showToast({ title: `${file.name} was not attached`, description, tone: "error" });
  return false;
}

/** Whether files were kept for the place: without the mark, nothing of IndexedDB is loaded. */
function isMarked(place: string): boolean {
  try {
    return localStorage.getItem(MARK + place) !== null;
  } catch {
    return false;
  }
}

function mark(place: string, isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(MARK + place, "1");
    else localStorage.removeItem(MARK + place);
  } catch {
    // As above.
  }
}
