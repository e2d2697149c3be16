import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const REGISTER = path.resolve("scripts/register-typescript.mjs");

/** A process of one's own that obeys lines. */
export interface TestProcess {
  /** Sends it a line. */
  tell(line: string): void;
  /** The next line that it prints; "" when it has ended. */
  nextLine(): Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Runs a script of ours with Node; what it writes to standard error is shown. */
export function startProcess(script: string, ...args: readonly string[]): TestProcess {
  const child = spawn(process.execPath, ["--no-warnings", "--import", REGISTER, path.resolve(script), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    tell: (line) => child.stdin.write(`${line}\n`),
    nextLine: async () => (await lines.next()).value ?? "",
    ended: once(child, "close"),
  };
}
