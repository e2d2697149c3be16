import { EventEmitter } from "node:events";
import type { Database } from "@/lib/server/platform/db/database";
import { selectRunMarks, selectThreadMarks } from "@/lib/server/platform/db/queries/marks";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** The longest that a stream takes to notice a change whose notification it missed. */
const LOOK_EVERY_MS = 1_500;

type Tell = () => void;

/** What is followed; event names are the ids. */
interface Watched {
  readonly changes: EventEmitter;
  /** The marks found by the last look, by id; null before the first. */
  readonly marks: Map<string, string | null>;
}

function watchNothing(): Watched {
  return { changes: new EventEmitter().setMaxListeners(0), marks: new Map() };
}

type FindMarks = (database: Database, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Checks for all streams of this process together whether the runs and threads that they follow have changed: two
 * statements every 1.5 s, however many streams there are.
 */
class ChangeWatch {
  private readonly runs = watchNothing();
  private readonly threads = watchNothing();
  private timer: NodeJS.Timeout | null = null;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Calls `tell` when the run may have new rows or another status. Call the result to stop. */
  watchRun(runId: string, tell: Tell): () => void {
    return this.watch(this.runs, runId, tell);
  }

  /**
   * Calls `tell` when the thread may have another run, or may have been compacted or deleted. Call the result to stop.
   */
  watchThread(threadId: string, tell: Tell): () => void {
    return this.watch(this.threads, threadId, tell);
  }

  private watch({ changes, marks }: Watched, id: string, tell: Tell): () => void {
    // A reset mark notifies every follower of the id once more, which costs a read and misses nothing.
    marks.set(id, null);
    changes.on(id, tell);
    this.schedule();
    return () => {
      changes.off(id, tell);
      if (changes.listenerCount(id) === 0) marks.delete(id);
    };
  }

  private schedule(): void {
    if (this.timer || this.runs.marks.size + this.threads.marks.size === 0) return;
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

  private async look({ changes, marks }: Watched, find: FindMarks): Promise<void> {
    if (marks.size === 0) return;
    const asked = [...marks.keys()];
    const found = await find(this.database, asked);
    for (const id of asked) {
      const mark = found.get(id) ?? "gone";
      if (!marks.has(id) || marks.get(id) === mark) continue;
      marks.set(id, mark);
      changes.emit(id);
    }
  }
}

const watches = processState("change-watches", () => new WeakMap<Database, ChangeWatch>());

/** The watch shared by all streams of this process on the database. */
export function changeWatch(database: Database): ChangeWatch {
  const known = watches.get(database) ?? new ChangeWatch(database);
  watches.set(database, known);
  return known;
}
