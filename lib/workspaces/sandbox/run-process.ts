import type { ChildProcess } from "node:child_process";
import { setPriority } from "node:os";
import { type CommandResult, WorkspaceError } from "@/lib/agent/workspace/workspace";
import { OutputCollector } from "./output-collector";
import { killGroup, startGroup } from "./process-group";

export type StopReason = NonNullable<CommandResult["stopped"]>;

export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** The process is stopped after writing this much. */
  readonly stopOutputBytes: number;
  readonly signal: AbortSignal;
  /** Watches the running process; calls `stop` to end it. Returns a function that stops watching. */
  readonly watch?: (pid: number, stop: (reason: StopReason) => void) => () => void;
}

/** How long a killed process may take to close its output before it is abandoned. */
const CLOSE_GRACE_MS = 1_000;

/** Runs a process group without input or a terminal, and kills the whole group when it has to stop. */
export async function runProcess(request: ProcessRequest): Promise<CommandResult> {
  checkArguments(request.argv);
  const started = performance.now();
  const output = new OutputCollector(keptBytes(request));
  if (request.signal.aborted) {
    return { exitCode: null, output: "", truncated: false, durationMs: 0, stopped: "cancelled" };
  }
  const { exitCode, stopped } = await superviseProcess(request, output);
  const durationMs = Math.round(performance.now() - started);
  const result = { exitCode, output: output.text(), truncated: output.truncated, durationMs };
  return stopped ? { ...result, stopped } : result;
}

/** If a process may write more than is kept, keeps the end too, because errors appear there. */
export function keptBytes({
  maxOutputBytes,
  stopOutputBytes,
}: Pick<ProcessRequest, "maxOutputBytes" | "stopOutputBytes">) {
  const tail = stopOutputBytes > maxOutputBytes ? Math.floor(maxOutputBytes / 2) : 0;
  return { head: maxOutputBytes - tail, tail };
}

interface ProcessEnd {
  readonly exitCode: number | null;
  readonly stopped?: StopReason;
}

function superviseProcess(request: ProcessRequest, output: OutputCollector): Promise<ProcessEnd> {
  const child = start(request);
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const cleanUps: (() => void)[] = [];
  let stopped: StopReason | undefined;
  const stop = (reason: StopReason) => {
    if (stopped) return;
    stopped = reason;
    killGroup(child);
    const giveUp = setTimeout(() => closeOutput(child), CLOSE_GRACE_MS);
    cleanUps.push(() => clearTimeout(giveUp));
  };
  const cancel = () => stop("cancelled");
  const timer = setTimeout(() => stop("timeout"), request.timeoutMs);
  request.signal.addEventListener("abort", cancel, { once: true });
  cleanUps.push(
    () => clearTimeout(timer),
    () => request.signal.removeEventListener("abort", cancel),
  );
  if (child.pid !== undefined && request.watch) cleanUps.push(request.watch(child.pid, stop));
  const keep = (chunk: Uint8Array) => {
    output.add(chunk);
    if (output.receivedBytes > request.stopOutputBytes) stop("output limit");
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  child.once("error", (error) => reject(new WorkspaceError("failed", `The command did not start: ${error.message}`)));
  child.once("exit", () => killGroup(child));
  child.once("close", (exitCode) => resolve(stopped ? { exitCode: null, stopped } : { exitCode }));
  return promise.finally(() => {
    for (const cleanUp of cleanUps) cleanUp();
  });
}

/** Linux's maximum length of one argument. */
const MAX_ARGUMENT_BYTES = 131_071;

/** Throws WorkspaceError for what the system can't pass to a program. */
export function checkArguments(argv: readonly string[]): void {
  if (argv.some((argument) => argument.includes("\0"))) {
    throw new WorkspaceError("failed", "A command must not contain a NUL character.");
  }
  if (argv.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES)) {
    throw new WorkspaceError("too_large", "The command is longer than 128 KB. Write it to a file and run the file.");
  }
}

function start(request: ProcessRequest): ChildProcess {
  const child = startGroup(request);
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/** Gives the server priority over commands. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    // The process has already ended, or the system has no priorities.
  }
}

function closeOutput(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}
