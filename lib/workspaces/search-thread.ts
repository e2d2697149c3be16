import { once } from "node:events";
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { programFile } from "./program-file";

/** Matches an expression outside this process's event loop. */
export interface SearchThread {
  /** Whether the expression matches the text; on abort, stops the thread and rejects with the abort reason. */
  test(text: string, signal: AbortSignal): Promise<boolean>;
}

/**
 * Limits concurrent searches, because the machine has other work; further searches wait, each with its own deadline.
 */
const MAX_BUSY = 2;
const IDLE_MS = 1_000;
/** Relative to the server's working directory, because a bundle of the server does not contain this file. */
const WORKER = path.join("lib", "workspaces", "search-worker");

let busy = 0;
const waiting: (() => void)[] = [];

/** The thread starts with the first text and stops automatically a second after the last one. */
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
  // A regular import would make a bundler look for the worker's file and bundle it.
  const threads = process.getBuiltinModule("node:worker_threads");
  const options = {
    workerData: { pattern, flags },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  };
  const worker = new threads.Worker(path.resolve(programFile(WORKER)), options);
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

/** Passes the slot directly to the longest-waiting search. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else busy -= 1;
}
