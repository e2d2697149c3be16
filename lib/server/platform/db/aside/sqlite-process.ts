import { execFile } from "node:child_process";
import { promisify } from "node:util";

const MAX_REPLY_BYTES = 10_000_000;

/**
 * Runs a script with better-sqlite3 as `Connection` in a separate process and returns what the script passes to
 * `reply`: reading a whole database file would otherwise block this process.
 */
export async function askSqliteProcess(script: string, values: readonly string[], timeoutMs: number): Promise<unknown> {
  const source = `const Connection = require("better-sqlite3");
    const values = process.argv.slice(1);
    const reply = (value) => process.stdout.write(JSON.stringify(value));
    ${script}`;
  const options = { cwd: process.cwd(), env: { NODE_ENV: "production" as const }, timeout: timeoutMs };
  const run = promisify(execFile)(process.execPath, ["-e", source, ...values], {
    ...options,
    maxBuffer: MAX_REPLY_BYTES,
  });
  const { stdout } = await run;
  return stdout === "" ? null : JSON.parse(stdout);
}
