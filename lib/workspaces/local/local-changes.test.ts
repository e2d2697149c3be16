import * as fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localWorkspaceTests } from "@/lib/testing/contracts/local-workspace-tests";
import { changedSince } from "./local-changes";
import { createLocalRoot } from "./local-root";

const local = localWorkspaceTests();
const look = (sinceMs: number) => changedSince(createLocalRoot(local.root, null), sinceMs);
const changeTimeOf = (path: string) => fs.statSync(join(local.root, path)).ctimeMs;

test("files count as changed from the time on at which their inode was, whatever a command says of it", async () => {
  await local.write("a/b.txt", "1");
  const ctimeMs = changeTimeOf("a/b.txt");
  fs.utimesSync(join(local.root, "a/b.txt"), 0, 0);
  expect((await look(ctimeMs)).changed).toEqual(["a/b.txt"]);
  const later = await look(changeTimeOf("a/b.txt") + 60_000);
  expect([later.changed, [...(later.present ?? [])]]).toEqual([[], ["a/b.txt"]]);
});

test("links, their targets and skipped folders are left out", async () => {
  await local.write("node_modules/x.js", "1");
  await local.write(".git/config", "1");
  fs.symlinkSync(local.outside, join(local.root, "folder"));
  fs.symlinkSync(join(local.outside, "secret"), join(local.root, "link"));
  expect((await look(0)).changed).toEqual([]);
});

test("a workspace with too many files says nothing of what is gone", async () => {
  for (let index = 0; index < 5_001; index += 1) fs.writeFileSync(join(local.root, `f${index}`), "");
  expect((await look(0)).present).toBeNull();
});
