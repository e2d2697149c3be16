import "server-only";
import type { ChildProcess } from "node:child_process";
import { promises as fs } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { processState } from "@/lib/server/platform/process-state";
import { programFile, programOptions } from "@/lib/workspaces/program-file";
import { DOCUMENT_LIMITS, DocumentRefused, Refusal } from "./document";

export interface ProcessLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

interface Question {
  /**
   * The program that answers (`programFile`): a bundle of the server does not contain it.
   * It gets `words` as arguments and `bytes` on stdin, and writes JSON on stdout: its answer, or `{refused}`.
   */
  readonly worker: string;
  readonly words: readonly string[];
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: ProcessLimits;
  /** Answers the process when it asks for a file with `{path}`; null if there is none. */
  readonly read?: (path: string) => Promise<Uint8Array | null>;
}

/**
 * Has untrusted content read in a separate process: it may read no files but the program's, is limited to 512 MB and
 * 20 s, and is killed beyond that. Throws DocumentRefused.
 */
export async function askDocumentProcess(question: Question): Promise<unknown> {
  return inTurn(() => ask(question), question.signal);
}

/** Limits concurrent processes, so that documents don't take up the whole machine. */
const MAX_BUSY = 2;

async function inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  const turns = processState("document-turns", () => ({ busy: 0, waiting: [] as (() => void)[] }));
  while (turns.busy >= MAX_BUSY) await new Promise<void>((resolve) => turns.waiting.push(resolve));
  turns.busy += 1;
  try {
    signal?.throwIfAborted();
    return await work();
  } finally {
    turns.busy -= 1;
    turns.waiting.shift()?.();
  }
}

/** The program's own files; not its data, and nothing else on the machine. */
const READABLE = ["lib/*", "scripts/*", "node_modules/*", "package.json"];
const HEAP_MEGABYTES = 400;
const LOOK_EVERY_MS = 50;

function start({ worker, words, read }: Question): ChildProcess {
  // With a normal import, a bundler would look for the file and bundle it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const root = process.cwd();
  const options = [
    "--permission",
    ...READABLE.map((name) => `--allow-fs-read=${path.join(root, name)}`),
    ...[`--max-old-space-size=${HEAP_MEGABYTES}`, "--disable-warning=ExperimentalWarning"],
    ...programOptions(),
  ];
  return spawn(process.execPath, [...options, path.join(root, programFile(worker)), ...words], {
    cwd: root,
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "ignore", ...(read ? (["ipc"] as const) : [])],
    serialization: "advanced",
  });
}

async function ask(question: Question): Promise<unknown> {
  const { signal, limits = DOCUMENT_LIMITS } = question;
  const child = start(question);
  const stop: { why: Error | null } = { why: null };
  const kill = (why: Error) => {
    stop.why ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => kill(new Error("aborted"));
  signal?.addEventListener("abort", abort, { once: true });
  const deadline = setTimeout(() => kill(tookTooLong(limits.timeMs)), limits.timeMs);
  const watch = setInterval(() => {
    void memoryOf(child.pid).then((used) => (used > limits.memoryBytes ? kill(needsMemory()) : undefined));
  }, LOOK_EVERY_MS);
  answerReads(child, question.read, kill);
  try {
    const said = await conversation(child, question.bytes);
    signal?.throwIfAborted();
    if (stop.why !== null) throw stop.why;
    if (said === "") throw isHeapFull(child) ? needsMemory() : fell();
    const reply: unknown = JSON.parse(said);
    const { data } = Refusal.safeParse(reply);
    if (data) throw new DocumentRefused(data.refused);
    return reply;
  } finally {
    clearTimeout(deadline);
    clearInterval(watch);
    signal?.removeEventListener("abort", abort);
  }
}

function answerReads(child: ChildProcess, read: Question["read"], kill: (why: Error) => void): void {
  if (!read) return;
  const Wanted = z.object({ path: z.string() });
  const answer = async (message: unknown) => {
    const bytes = await read(Wanted.parse(message).path);
    if (child.connected) child.send({ bytes }, () => undefined);
  };
  child.on("message", (message) => void answer(message).catch(kill));
}

/** V8 aborts the process then. */
function isHeapFull({ exitCode, signalCode }: ChildProcess): boolean {
  return signalCode === "SIGABRT" || exitCode === ABORTED;
}

/** SIGABRT as a shell counts it. */
const ABORTED = 134;

/** Its program ended with an error. */
function fell(): DocumentRefused {
  return new DocumentRefused("It is damaged, so it can't be read.");
}

function needsMemory(): DocumentRefused {
  return new DocumentRefused("Reading it needs more than 512 MB of memory, so it was stopped. Split it.");
}

function tookTooLong(timeMs: number): DocumentRefused {
  return new DocumentRefused(`Reading it took longer than ${timeMs / 1_000} s, so it was stopped. Split it.`);
}

/** The complete output of the process once it has ended. */
function conversation(child: ChildProcess, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    // The process may end before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(bytes);
  });
}

/** 0 if the system doesn't report it (no /proc): then only the heap limit applies. */
async function memoryOf(pid: number | undefined): Promise<number> {
  try {
    const status = await fs.readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
