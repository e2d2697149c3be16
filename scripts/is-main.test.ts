import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isMain } from "./is-main";

let directory: string;

beforeEach(() => {
  directory = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-main-")), "a folder #1");
  mkdirSync(directory);
  for (const name of ["program.mjs", "other.mjs"]) writeFileSync(path.join(directory, name), "");
});
afterEach(() => rmSync(path.dirname(directory), { recursive: true }));

test("a program knows itself, in a folder with an odd name and through a link too", () => {
  const program = path.join(directory, "program.mjs");
  symlinkSync(program, path.join(directory, "link.mjs"));
  const { href } = pathToFileURL(program);
  expect(isMain(href, program)).toBe(true);
  expect(isMain(href, path.join(directory, "link.mjs"))).toBe(true);
  expect(isMain(href, path.join(directory, "other.mjs"))).toBe(false);
});

test("a module imported by another program is not the program", () => {
  expect(isMain(import.meta.url)).toBe(false);
});
