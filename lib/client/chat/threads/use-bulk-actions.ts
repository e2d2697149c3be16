"use client";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { FILES_KEY, PROJECTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { deleteThread, restoreThread, updateThread } from "./thread-actions";

const AT_ONCE = 4;

/**
 * Actions on several threads: each is a separate request, and what succeeded can be undone together. `onDone` follows an
 * action, not its undo: somebody may have begun something else by then.
 */
export function useBulkActions(onDone: () => void) {
  const queryClient = useQueryClient();
  const [isPending, setPending] = useState(false);
  const doAll = async (ids: readonly string[], work: Work) => {
    setPending(true);
    const { done, error } = await eachOf(ids, work.run);
    setPending(false);
    if (error === null && work.undo) onDone();
    if (error !== null)
      showToast({ title: `${work.failed(ids.length - done.length)} ${errorMessage(error)}`, tone: "error" });
    if (done.length > 0) {
      showToast({
        title: work.title(done.length),
        ...(work.undo ? { onUndo: () => void doAll(done, work.undo as Work) } : {}),
      });
    }
    await Promise.all(work.changes.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  return {
    isPending,
    archive: (ids: readonly string[], archived: boolean) => void doAll(ids, archiving(archived, archiving(!archived))),
    remove: (ids: readonly string[]) =>
      void doAll(ids, {
        changes: LIST,
        run: deleteThread,
        title: (count) => `Deleted ${threads(count)}`,
        failed: (count) => `${threads(count)} could not be deleted.`,
        undo: {
          changes: LIST,
          run: restoreThread,
          title: (count) => `Restored ${threads(count)}`,
          failed: (count) => `${threads(count)} could not be restored.`,
        },
      }),
    /** `homes` are the projects that the threads are in before. */
    move: (ids: readonly string[], project: Named, homes: ReadonlyMap<string, string>) =>
      void doAll(ids, {
        changes: MOVE_CHANGES,
        run: (id) => updateThread(id, { projectId: project.id }),
        title: (count) => `Moved ${threads(count)} to ${project.name}`,
        failed: (count) => `${threads(count)} could not be moved.`,
        undo: {
          changes: MOVE_CHANGES,
          run: (id) => updateThread(id, { projectId: homes.get(id) ?? null }),
          title: (count) => `Moved ${threads(count)} back`,
          failed: (count) => `${threads(count)} could not be moved back.`,
        },
      }),
  };
}

const LIST = [THREADS_KEY];
const MOVE_CHANGES = [THREADS_KEY, PROJECTS_KEY, FILES_KEY];

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Work {
  /** The queries that it makes stale. */
  readonly changes: readonly QueryKey[];
  readonly run: (id: string) => Promise<void>;
  readonly title: (count: number) => string;
  readonly failed: (count: number) => string;
  readonly undo?: Work;
}

function archiving(archived: boolean, undo?: Work): Work {
  const word = archived ? "archived" : "unarchived";
  return {
    changes: LIST,
    run: (id) => updateThread(id, { archived }),
    title: (count) => `${word === "archived" ? "Archived" : "Unarchived"} ${threads(count)}`,
    failed: (count) => `${threads(count)} could not be ${word}.`,
    ...(undo ? { undo } : {}),
  };
}

function threads(count: number): string {
  return count === 1 ? "1 thread" : `${count} threads`;
}

/** A few at a time; only the first error is reported. */
async function eachOf(ids: readonly string[], run: (id: string) => Promise<void>) {
  const done: string[] = [];
  let error: unknown = null;
  const left = [...ids];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await run(id);
        done.push(id);
      } catch (failure) {
        error ??= failure;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, error };
}
