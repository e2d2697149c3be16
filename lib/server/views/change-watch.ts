import type { Database } from "@/lib/server/platform/db/database";
import { selectRunMarks, selectThreadMarks } from "@/lib/server/platform/db/queries/marks";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** Notifications make it faster; a stream that missed one learns of a change this late at most. */
const LOOK_EVERY_MS = 1_500;

type Tell = () => void;

interface Watched {
  readonly listeners: Set<Tell>;
  /** What the last look found; null before the first. */
  mark: string | null;
}

type FindMarks = (database: Database, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Looks for all streams of this process together whether what they follow has changed: two statements every 1.5 s,
 * however many streams there are.
 */
class ChangeWatch {
  private readonly runs = new Map<string, Watched>();
  private readonly threads = new Map<string, Watched>();
  private timer: NodeJS.Timeout | null = null;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Calls `tell` when the run may have new rows or another status. Call the result to stop. */
  watchRun(runId: string, tell: Tell): () => void {
    return this.watch(this.runs, runId, tell);
  }

  /** Calls `tell` when the thread may have another run, was compacted or deleted. Call the result to stop. */
  watchThread(threadId: string, tell: Tell): () => void {
    return this.watch(this.threads, threadId, tell);
  }

  private watch(all: Map<string, Watched>, id: string, tell: Tell): () => void {
    const watched = all.get(id) ?? { listeners: new Set(), mark: null };
    // Whoever comes later has read after the mark was taken, or is told once too often.
    watched.mark = null;
    watched.listeners.add(tell);
    all.set(id, watched);
    this.schedule();
    return () => {
      watched.listeners.delete(tell);
      if (watched.listeners.size === 0 && all.get(id) === watched) all.delete(id);
    };
  }

  private schedule(): void {
    if (this.timer || this.runs.size + this.threads.size === 0) return;
    this.timer = setTimeout(() => {
      Promise.all([this.look(this.runs, selectRunMarks), this.look(this.threads, selectThreadMarks)])
        .catch((error: unknown) => logger().warn({ err: error }, "could not look for changes of runs; trying again"))
        .finally(() => {
          this.timer = null;
          this.schedule();
        });
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  private async look(all: ReadonlyMap<string, Watched>, find: FindMarks): Promise<void> {
    if (all.size === 0) return;
    const asked = [...all];
    const marks = await find(
      this.database,
      asked.map(([id]) => id),
    );
    for (const [id, watched] of asked) {
      const mark = marks.get(id) ?? "gone";
      if (watched.mark === mark) continue;
      watched.mark = mark;
      for (const tell of watched.listeners) tell();
    }
  }
}

const watches = processState("change-watches", () => new WeakMap<Database, ChangeWatch>());

/** The watch that all streams of this process on the database share. */
export function changeWatch(database: Database): ChangeWatch {
  const known = watches.get(database) ?? new ChangeWatch(database);
  watches.set(database, known);
  return known;
}
