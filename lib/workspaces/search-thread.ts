import { once } from "node:events";
import path from "node:path";
import type { Worker } from "node:worker_threads";

/** An expression that is matched outside of this process's event loop. */
export interface SearchThread {
  /** Whether the expression is found in the text; rejects with the abort reason, having stopped the thread. */
  test(text: string, signal: AbortSignal): Promise<boolean>;
}

/** The machine has other work to do, however many searches there are; the others wait, each with its own deadline. */
const MAX_BUSY = 2;
const IDLE_MS = 1_000;
/** From the folder that the server runs in: a bundle of the server does not contain this file. */
const WORKER_FILE = path.join("lib", "workspaces", "search-worker.ts");

let busy = 0;
const waiting: (() => void)[] = [];

/** The thread begins with the first text and ends by itself a second after the last one. */
export function createSearchThread(pattern: string, flags: number): SearchThread {
  let worker: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    void worker?.terminate();
    worker = null;
  };
  return {
    async test(text, signal) {
      await enter(signal);
      clearTimeout(idle);
      try {
        worker ??= startWorker(pattern, flags);
        const answer = once(worker, "message", { signal });
        worker.postMessage(text);
        const [isFound] = await answer;
        idle = setTimeout(stop, IDLE_MS).unref();
        return isFound === true;
      } catch (error) {
        stop();
        throw signal.aborted ? signal.reason : error;
      } finally {
        leave();
      }
    },
  };
}

function startWorker(pattern: string, flags: number): Worker {
  // Imported in the usual way, a bundler would look for the worker's file and bundle it.
  const threads = process.getBuiltinModule("node:worker_threads");
  const options = {
    workerData: { pattern, flags },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  };
  const worker = new threads.Worker(path.resolve(WORKER_FILE), options);
  worker.unref();
  return worker;
}

async function enter(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (busy < MAX_BUSY) {
    busy += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const go = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal.reason);
    };
    waiting.push(go);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

/** Whoever waits longest takes the place, without it becoming free in between. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else busy -= 1;
}
