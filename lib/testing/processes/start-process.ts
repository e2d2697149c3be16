import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** No test takes this long, so a failed test leaves no process behind. */
const ENDS = { timeout: 120_000, killSignal: "SIGKILL" } as const;

const REGISTER = path.resolve("scripts/resolve-imports.ts");

/** A separate process that obeys lines. */
export interface TestProcess {
  /** Sends a line to its standard input. */
  tell(line: string): void;
  /** The next line that it prints; "" once it has ended. */
  nextLine(): Promise<string>;
  /** Kills it with SIGKILL. */
  kill(): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves once it has ended. */
  readonly ended: Promise<unknown>;
}

/** How a process ended, and its output until then. */
export interface EndedProcess {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs one of our scripts with Node until it ends. */
export async function runProcess(script: string, ...args: readonly string[]): Promise<EndedProcess> {
  const child = spawn(process.execPath, nodeArguments(script, args), { ...ENDS, stdio: ["ignore", "pipe", "pipe"] });
  killAtExit(child);
  const [output, errors, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), closed(child)]);
  return { code, signal, output, errors };
}

/** Starts one of our scripts with Node; its standard error is shown. */
export function startProcess(script: string, ...args: readonly string[]): TestProcess {
  const child = spawn(process.execPath, nodeArguments(script, args), { ...ENDS, stdio: ["pipe", "pipe", "inherit"] });
  killAtExit(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    tell: (line) => child.stdin.write(`${line}\n`),
    nextLine: async () => (await lines.next()).value ?? "",
    kill: () => child.kill("SIGKILL"),
    signal: (name) => void child.kill(name),
    ended: once(child, "close"),
  };
}

function nodeArguments(script: string, args: readonly string[]): string[] {
  return ["--no-warnings", "--import", REGISTER, path.resolve(script), ...args];
}

function killAtExit(child: ChildProcess): void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
}

async function closed(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const [code, signal] = await once(child, "close");
  return [code, signal];
}
