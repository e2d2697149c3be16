// Runs in a worker thread started by trial-thread.ts: reloads the extensions folder and tries one of its hooks.
import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "@/lib/schema/app-error";
import { toHook } from "@/lib/sdk/to-hook";
import { createExtensionLoader } from "@/lib/server/extensions/load-natively";
import { traceHook } from "@/lib/server/extensions/trace-hook";
import { runTrial } from "./run-trial";
import { BEAT_MS, type TrialMessage, type TrialWork } from "./trial-message";

const { directory, source, settings, facts, tools } = workerData as TrialWork;

const say = (message: TrialMessage) => parentPort?.postMessage(message);

/** The hook as loaded in this thread. */
async function loadHook() {
  const files = await createExtensionLoader(directory)();
  const loaded = files.find(({ file, hash }) => file === source.file && hash === source.hash);
  const definition = loaded?.definitions.find(({ kind, name }) => kind === "hook" && name === facts.body.hook);
  if (definition?.kind !== "hook") {
    throw new AppError("invalid_input", `${source.file} has changed since it was loaded. Reload the extensions first.`);
  }
  const parsed = definition.parseConfig(settings);
  if (!parsed.ok) throw new AppError("invalid_input", `The settings of ${definition.name} are not valid.`);
  return traceHook(toHook(definition.name, definition.create(parsed.config)), source);
}

const NOT_RUN = () => Promise.reject(new Error("A try runs no tool."));

try {
  const hook = await loadHook();
  say({ kind: "beat" });
  const beat = setInterval(() => say({ kind: "beat" }), BEAT_MS);
  const offered = tools.map((tool) => ({
    ...tool,
    parse: (args: Record<string, unknown>) => ({ ok: true, args }) as const,
    execute: NOT_RUN,
  }));
  const report = await runTrial(hook, facts, offered);
  clearInterval(beat);
  // A hook may return values that can't be sent to another thread; the reply is JSON anyway.
  say({ kind: "report", report: JSON.stringify(report) });
} catch (error) {
  say({ kind: "refused", message: error instanceof Error ? error.message : String(error) });
}
