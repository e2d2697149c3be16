import { promises as timers } from "node:timers";
import type { CommandResult } from "@/lib/agent/workspace/workspace";
import { OutputCollector } from "@/lib/workspaces/sandbox/output-collector";
import { checkArguments, keptBytes, type StopReason } from "@/lib/workspaces/sandbox/run-process";
import type { CommandRequest } from "@/lib/workspaces/sandbox/sandbox-backend";
import { type Container, type Exec, runTool } from "./engine/container";
import { READ_MEMORY_KILLS, readMemoryKills } from "./exchange/remote-tree";

/** Gives up waiting for an engine that does not end what it was told to end. */
const STOP_GRACE_MS = 5_000;
/** How long the output of an ended command may stay open, held by what it left running. */
const LEFT_OUTPUT_MS = 250;
const FIRST_LOOK_MS = 2_000;
const LAST_LOOK_MS = 10_000;
/** A look may take a tenth of the time. */
const LOOK_SHARE = 10;

interface Allowance {
  readonly quotaBytes: number;
  /** How often the kernel had ended a process of the container before. */
  readonly memoryKills: number;
}

/**
 * The image's bash, else its sh. Both streams are one, to keep their order, and what the command leaves running ends
 * with it. The outer shell is not the command's, so that its exit code tells of a signal, which it would otherwise
 * report in words of its own. A write beyond the size limit fails instead of killing the shell.
 */
const RUN = `exec 2>/dev/null
trap '' XFSZ
if [ "$2" = full ]; then ulimit -f 0; fi
if command -v bash >/dev/null; then bash -c -- "$1" 2>&1; else sh -c "$1" 2>&1; fi
code=$?; kill -9 -1; exit $code`;

/**
 * Runs a command in the container and bounds its time, output and disk use. What has to end early is ended by removing
 * the container, which no process in it can prevent. Rejects with EngineError if the engine goes away.
 */
export async function runCommand(
  container: Container,
  request: CommandRequest,
  allowance: Allowance,
): Promise<CommandResult> {
  const started = performance.now();
  const output = new OutputCollector(keptBytes(request));
  if (request.signal.aborted) return describe({ exitCode: null, stopped: "cancelled" }, output, started);
  const argv = ["/bin/sh", "-c", RUN, "sh", request.command, request.deleteOnly ? "full" : "open"];
  checkArguments(argv);
  const exec = await container.exec({ user: "agent", argv });
  const stops = stopWhenDue(container, request);
  const stopLooking = watchUse(container, allowance, stops.stop);
  const end = follow(exec, output, () => {
    if (output.receivedBytes > request.stopOutputBytes) stops.stop("output limit");
  });
  try {
    const exitCode = await Promise.race([end, stops.over]);
    return describe({ exitCode, stopped: stops.reason() }, output, started);
  } catch (error) {
    const stopped = stops.reason();
    if (stopped === undefined) throw error;
    await stops.over;
    return describe({ exitCode: null, stopped }, output, started);
  } finally {
    end.catch(() => undefined);
    stopLooking();
    stops.dispose();
    exec.close();
  }
}

function describe(
  { exitCode, stopped }: { exitCode: number | null; stopped: StopReason | undefined },
  output: OutputCollector,
  started: number,
): CommandResult {
  const durationMs = Math.round(performance.now() - started);
  const result = { output: output.text(), truncated: output.truncated, durationMs };
  return stopped ? { ...result, exitCode: null, stopped } : { ...result, exitCode };
}

/** Collects the output until the command has ended, and what it wrote has arrived. */
async function follow(exec: Exec, output: OutputCollector, onOutput: () => void): Promise<number> {
  const read = (async () => {
    for await (const { bytes } of exec.output) {
      output.add(bytes);
      onOutput();
    }
  })();
  const ended = exec.ended();
  // Each of the two may fail alone while the other is awaited.
  ended.catch(() => undefined);
  read.catch(() => undefined);
  const isRead = await Promise.race([read.then(() => true), ended.then(() => false)]);
  if (!isRead) await Promise.race([read, timers.setTimeout(LEFT_OUTPUT_MS)]);
  return await ended;
}

/** Ends the command at its time limit and when it is cancelled. `over` resolves when it has been ended so. */
function stopWhenDue(container: Container, { timeoutMs, signal }: CommandRequest) {
  let reason: StopReason | undefined;
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const stop = (why: StopReason) => {
    if (reason) return;
    reason = why;
    const removed = container.remove().catch(() => undefined);
    void Promise.race([removed, timers.setTimeout(STOP_GRACE_MS, undefined, { ref: false })]).then(() => resolve(null));
  };
  const cancel = () => stop("cancelled");
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  return {
    stop,
    over,
    reason: () => reason,
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    },
  };
}

/**
 * Stops a command whose workspace grows over its quota, or of which the kernel had to end a process for lack of memory,
 * while the others may still wait for it. Short commands are over before the first look.
 */
function watchUse(container: Container, allowance: Allowance, stop: (reason: StopReason) => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  async function look(): Promise<void> {
    for (let pauseMs = FIRST_LOOK_MS; ; ) {
      await timers.setTimeout(pauseMs, undefined, { signal, ref: false });
      const started = performance.now();
      const { memoryKills, diskBytes } = await measure(container, signal);
      if (memoryKills > allowance.memoryKills) return stop("memory limit");
      if (diskBytes > allowance.quotaBytes) return stop("quota");
      pauseMs = Math.max(Math.min(2 * pauseMs, LAST_LOOK_MS), LOOK_SHARE * (performance.now() - started));
    }
  }
  // A look that fails ends the watch: an engine that is gone shows on the command's own connection.
  look().catch(() => undefined);
  return () => over.abort();
}

async function measure(container: Container, signal: AbortSignal) {
  const argv = ["/bin/sh", "-c", `${READ_MEMORY_KILLS}; du -sk . 2>/dev/null`];
  const { output } = await runTool(container, { user: "agent", argv, signal });
  const kilobytes = output.trimEnd().split("\n").at(-1) ?? "";
  return { memoryKills: readMemoryKills(output), diskBytes: 1_024 * Number.parseInt(kilobytes, 10) || 0 };
}
