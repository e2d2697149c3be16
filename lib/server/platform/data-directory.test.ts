import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  DataDirectoryInUse,
  lockDataDirectory,
  removeLeftStaging,
  STAGING_PREFIX,
  unlockDataDirectory,
} from "./data-directory";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-lock-"));
});

afterEach(() => {
  unlockDataDirectory(directory);
  rmSync(directory, { recursive: true, force: true });
});

async function holdInOtherProcess() {
  const script = `
    import { lockDataDirectory } from "@/lib/server/platform/data-directory";
    lockDataDirectory(process.env.LOCK_DIRECTORY ?? "");
    process.stdout.write("locked");
    setInterval(() => undefined, 1000);`;
  const child = spawn(
    process.execPath,
    ["--import", "./scripts/resolve-imports.ts", "--input-type=module-typescript", "--eval", script],
    { env: { ...process.env, LOCK_DIRECTORY: directory }, stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(child.stdout, "data");
  return child;
}

test("locks for this process, as often as it asks", () => {
  lockDataDirectory(directory);
  expect(() => lockDataDirectory(directory)).not.toThrow();
});

test("refuses a directory that another process serves, and takes it when that one was killed", async () => {
  const other = await holdInOtherProcess();
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
  expect(() => lockDataDirectory(directory)).toThrow(/already running on/);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(() => lockDataDirectory(directory)).not.toThrow();
});

test("what a killed process was making is removed, and nothing else", () => {
  const left = mkdtempSync(path.join(directory, STAGING_PREFIX));
  writeFileSync(path.join(left, "ringmaster.db"), "half a copy");
  const kept = path.join(directory, "workspaces");
  mkdirSync(kept);
  removeLeftStaging(directory);
  expect([existsSync(left), existsSync(kept)]).toEqual([false, true]);
});
