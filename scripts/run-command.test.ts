import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outputOf } from "./run-command";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-run-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Starts a program that runs another one with `runNode`; returns it with the other's process id. */
async function startBoth() {
  const inner = path.join(directory, "inner.mjs");
  writeFileSync(inner, "console.log(process.pid); setInterval(() => undefined, 1000);");
  const outer = path.join(directory, "outer.mjs");
  const command = JSON.stringify(path.resolve("scripts/run-command.ts"));
  const script = JSON.stringify(path.relative(process.cwd(), inner));
  writeFileSync(outer, `import { runNode } from ${command};\nawait runNode(${script}, []);`);
  const child = spawn(process.execPath, ["--import", path.resolve("scripts/resolve-imports.ts"), outer], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = await new Promise<number>((resolve) => child.stdout.once("data", (chunk) => resolve(Number(chunk))));
  return { child, pid };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a program that is ended from outside ends the one it runs", async () => {
  const { child, pid } = await startBoth();
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  child.kill("SIGTERM");
  expect(await ended).toBe(143);
  try {
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
  } finally {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }
});

test("a program that is not installed is said to be missing, one that fails is quoted", async () => {
  await expect(outputOf("no-such-program", ["--help"], {})).rejects.toThrow("no-such-program was not found.");
  const words = ["--eval", "console.error('no space'); process.exit(3)"];
  await expect(outputOf(process.execPath, words, {})).rejects.toThrow(/failed:\nno space\n$/);
});
