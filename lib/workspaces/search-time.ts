import { WorkspaceError } from "@/lib/agent/workspace/workspace";

const TURN_MS = 8;
const LIMIT_MS = 20_000;

/** Keeps a search that computes in this process from blocking everything else. */
export interface SearchTime {
  /** True every few milliseconds: then call `await pause()`. */
  isDue(): boolean;
  /** Yields to other work. Throws WorkspaceError if the whole search has taken too long. */
  pause(): Promise<void>;
  /** Aborts with the same WorkspaceError at the time limit, for work done in a thread. */
  deadline(): AbortSignal;
}

export function createSearchTime(limitMs = LIMIT_MS): SearchTime {
  const ends = performance.now() + limitMs;
  let turnEnds = performance.now() + TURN_MS;
  const tooLong = () => {
    const message = `The search took longer than ${limitMs / 1_000} s. Narrow it by a folder or a simpler pattern.`;
    return new WorkspaceError("failed", message);
  };
  return {
    isDue: () => performance.now() >= turnEnds,
    async pause() {
      if (performance.now() > ends) throw tooLong();
      await new Promise<void>((resolve) => setImmediate(resolve));
      turnEnds = performance.now() + TURN_MS;
    },
    deadline() {
      const controller = new AbortController();
      const leftMs = Math.max(0, ends - performance.now());
      setTimeout(() => controller.abort(tooLong()), leftMs).unref();
      return controller.signal;
    },
  };
}
