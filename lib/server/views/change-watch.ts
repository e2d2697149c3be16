import type { Database } from "@/lib/server/platform/db/database";
import { selectRunMarks, selectThreadMarks } from "@/lib/server/platform/db/queries/streams/marks";
import { logger } from "@/lib/server/platform/logger";
import { serviceState } from "@/lib/server/platform/services";

/** The longest that a stream takes to notice a change whose notification it missed. */
const LOOK_EVERY_MS = 1_500;

type Tell = () => void;

interface Follower {
  readonly tell: Tell;
  /** The mark that it knows; null before the first look. */
  mark: string | null;
}

/** Who follows what, by id. */
type Watched = Map<string, Set<Follower>>;

type FindMarks = (database: Database, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Checks for all streams of this process together whether the runs and threads that they follow have changed: two
 * statements every 1.5 s, however many streams there are.
 */
class ChangeWatch {
  private readonly runs: Watched = new Map();
  private readonly threads: Watched = new Map();
  private timer: NodeJS.Timeout | null = null;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /**
   * Calls `tell` when the run may have new rows or another status: when its mark is no longer the one that the follower
   * has read with it, and without one after the first look. Call the result to stop.
   */
  watchRun(runId: string, tell: Tell, mark: string | null = null): () => void {
    return this.watch(this.runs, runId, { tell, mark });
  }

  /** The same for a thread, which may have another run, or may have been compacted or deleted. */
  watchThread(threadId: string, tell: Tell, mark: string | null = null): () => void {
    return this.watch(this.threads, threadId, { tell, mark });
  }

  private watch(watched: Watched, id: string, follower: Follower): () => void {
    const followers = watched.get(id) ?? new Set();
    watched.set(id, followers.add(follower));
    this.schedule();
    return () => {
      followers.delete(follower);
      if (followers.size === 0 && watched.get(id) === followers) watched.delete(id);
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

  private async look(watched: Watched, find: FindMarks): Promise<void> {
    if (watched.size === 0) return;
    // A follower that comes meanwhile may know more than what is found now.
    const asked = [...watched].map(([id, followers]) => [id, [...followers]] as const);
    const found = await find(
      this.database,
      asked.map(([id]) => id),
    );
    for (const [id, followers] of asked) {
      const mark = found.get(id) ?? "gone";
      for (const follower of followers) {
        if (follower.mark === mark || !watched.get(id)?.has(follower)) continue;
        follower.mark = mark;
        follower.tell();
      }
    }
  }
}

/** The watch shared by all streams of this process. */
export const changeWatch = serviceState("change-watches", ({ database }) => new ChangeWatch(database));
