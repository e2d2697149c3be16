import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";

const HOOKS = path.resolve("scripts/git-hooks");
const Manifest = z.object({ scripts: z.object({ prepare: z.string() }) });
const { prepare } = Manifest.parse(JSON.parse(readFileSync("package.json", "utf8"))).scripts;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-commit-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Runs a program in the folder, without the settings of the person who runs the tests. */
function run(program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    NODE_ENV: "test",
    GIT_CONFIG_NOSYSTEM: "1",
    ...variables,
  } as const;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: directory, env, encoding: "utf8" });
  return { status, stdout: stdout.trim(), stderr };
}

function commit(subject: string) {
  run("git", ["init", "--quiet"]);
  const settings = ["user.name=Ada", "user.email=ada@example.test", `core.hooksPath=${HOOKS}`, "commit.gpgSign=false"];
  const options = settings.flatMap((setting) => ["-c", setting]);
  return run("git", [...options, "commit", "--quiet", "--allow-empty", "-m", `${subject}\n\nA sentence about why.`]);
}

test.each(["Name the reason when a call is refused", "Ü".repeat(72), `Revert "${"a".repeat(72)}"`])(
  "a commit is made with the subject %s",
  (subject) => {
    expect(commit(subject)).toMatchObject({ status: 0, stderr: "" });
  },
);

test.each([
  ["a".repeat(73), /has 73 characters\. Shorten it to 72/],
  ["Name the reason.", /ends with a full stop/],
])("a commit is refused with the subject %s", (subject, reason) => {
  expect(commit(subject)).toMatchObject({ status: 1, stderr: expect.stringMatching(reason) });
  expect(run("git", ["log"]).status).not.toBe(0);
});

test("npm ci puts the hook to use in a clone", () => {
  run("git", ["init", "--quiet"]);
  expect(run("sh", ["-c", prepare]).status).toBe(0);
  expect(run("git", ["config", "core.hooksPath"]).stdout).toBe("scripts/git-hooks");
});

test("npm ci works without git, and leaves alone a repository that the project was only unpacked into", () => {
  run("git", ["init", "--quiet"]);
  mkdirSync(path.join(directory, "unpacked"));
  expect(run("sh", ["-c", `cd unpacked && ${prepare}`]).status).toBe(0);
  expect(run("git", ["config", "core.hooksPath"]).status).toBe(1);
  expect(run("/bin/sh", ["-c", prepare], { PATH: "/nowhere" }).status).toBe(0);
});
