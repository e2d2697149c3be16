import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";

interface ExampleRun {
  /** Below `examples`, or a whole path. */
  readonly file: string;
  readonly words?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What is typed in its terminal. */
  readonly typed: string;
}

/** Runs an example to its end; returns what it prints. */
export async function runExample({ file, words = [], environment, typed }: ExampleRun): Promise<string> {
  const env = { ...process.env, ...environment };
  const program = spawn(process.execPath, [path.resolve("examples", file), ...words], { env, stdio: "pipe" });
  program.stdin.end(typed);
  const [printed, complaints] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "close")]);
  return `${printed}${complaints}`;
}
