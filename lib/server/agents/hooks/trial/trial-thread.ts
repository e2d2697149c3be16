import "server-only";
import path from "node:path";
import type { ExtensionSource } from "@/lib/agent/hooks/hook";
import type { Tool } from "@/lib/agent/tools/tool";
import type { TryHookBody } from "@/lib/schema/agents/try-hook";
import { AppError } from "@/lib/schema/app-error";
import { extensionFolderPath } from "@/lib/server/extensions/extensions";
import { programFile, programOptions } from "@/lib/workspaces/program-file";
import type { TrialContext, TrialReport } from "./run-trial";
import type { TrialMessage, TrialWork } from "./trial-message";

/** Relative to the server's working directory: a bundle of the server doesn't include these files. */
const WORKER = path.join("lib", "server", "agents", "hooks", "trial", "trial-worker");

const LOAD_LIMIT_MS = 30_000;
/** Long enough that a busy machine is not mistaken for a loop. */
const SILENCE_LIMIT_MS = 2_000;

/**
 * Tries an extension's hook in its own worker thread, which is terminated if the hook blocks without yielding, wherever
 * it does so: the server keeps serving. Throws `invalid_input` if the file has changed since it was loaded.
 */
export async function tryInThread(
  source: ExtensionSource,
  settings: TrialWork["settings"],
  facts: TrialContext,
  tools: readonly Tool[],
): Promise<TrialReport> {
  const directory = extensionFolderPath();
  if (directory === null) throw new AppError("unavailable", "This process has no extensions folder.");
  const data = tools.map(({ parse: _, execute: __, gist: ___, ...tool }) => tool);
  const worker = startWorker({ directory, source, settings, facts, tools: data });
  const { promise, resolve, reject } = Promise.withResolvers<TrialReport>();
  const startedAt = performance.now();
  const slow = () =>
    reject(new AppError("unavailable", `${source.file} did not load within ${LOAD_LIMIT_MS / 1_000} s.`));
  let watch = setTimeout(slow, LOAD_LIMIT_MS);
  const stuck = () =>
    resolve({ error: neverPaused(source, facts.body), log: [], durationMs: performance.now() - startedAt });
  worker.on("message", (message: TrialMessage) => {
    clearTimeout(watch);
    if (message.kind === "report") resolve(JSON.parse(message.report));
    else if (message.kind === "refused") reject(new AppError("invalid_input", message.message));
    else watch = setTimeout(stuck, SILENCE_LIMIT_MS);
  });
  worker.once("error", (error) =>
    resolve({ error: fell(source, error), log: [], durationMs: performance.now() - startedAt }),
  );
  worker.once("exit", () => reject(new AppError("unavailable", `${facts.body.hook} ended the thread that tries it.`)));
  try {
    return await promise;
  } finally {
    clearTimeout(watch);
    void worker.terminate();
  }
}

function startWorker(work: TrialWork) {
  // With a normal import, a bundler would look for the worker's file and bundle it.
  const threads = process.getBuiltinModule("node:worker_threads");
  const worker = new threads.Worker(path.resolve(programFile(WORKER)), {
    // Anything that isn't plain data, such as a function in a tool's facts, stays here.
    workerData: JSON.parse(JSON.stringify(work)),
    execArgv: programOptions(),
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  worker.unref();
  return worker;
}

function neverPaused({ file }: ExtensionSource, { hook, phase }: TryHookBody): TrialReport["error"] {
  const message = `hook ${hook} ${phase} computed for ${SILENCE_LIMIT_MS / 1_000} s without a pause and was ended. In a run it would stop the whole server: end its loop, or give it pauses.`;
  return { kind: "timeout", message, file, line: null };
}

/** Something thrown outside the hook's phases, or a thread that ran out of memory. */
function fell({ file }: ExtensionSource, error: unknown): TrialReport["error"] {
  const message = `this server would be in danger: ${error instanceof Error ? error.message : String(error)}`;
  return { kind: "threw", message, file, line: null };
}
