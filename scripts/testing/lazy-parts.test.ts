import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("a part that is loaded later has a boundary of its own: without one it hides the page, and takes its focus", () => {
  const bare = globSync("{components,lib}/**/*.{ts,tsx}").flatMap((file) =>
    callsOf("dynamic", readFileSync(file, "utf8"))
      .filter((call) => !/\bloading\b|ssr: false/.test(call))
      .map((call) => `${file}: ${call}`),
  );
  expect(bare).toEqual([]);
});

/** The source of each call of a function, from its name to its closing parenthesis. */
function callsOf(name: string, source: string): string[] {
  return [...source.matchAll(new RegExp(`\\b${name}\\(`, "g"))].map(({ index }) => {
    let depth = 0;
    for (let at = index + name.length; at < source.length; at += 1) {
      if (source[at] === "(") depth += 1;
      if (source[at] === ")") depth -= 1;
      if (depth === 0) return source.slice(index, at + 1);
    }
    return source.slice(index);
  });
}

test("the client of a database is loaded when that database is opened: both, in each of Next's layers, are 10 MB", () => {
  const importing = /^import (?!type\b)[^;]*\bgenerated\/(?:sqlite|postgresql)\/client"/m;
  const files = globSync("{app,lib,scripts}/**/*.{ts,tsx}", { exclude: ["**/generated/**", "**/*.test.{ts,tsx}"] });
  expect(files.filter((file) => importing.test(readFileSync(file, "utf8")))).toEqual([]);
  expect(importing.test('import { PrismaClient } from "./generated/sqlite/client";')).toBe(true);
});

test("the libraries of MCP's current revision are loaded by those who use it: an installation without MCP has none", () => {
  const importing = /^import (?!type\b)[^;]*"@modelcontextprotocol\/(?:server|client)"/m;
  const files = globSync("{app,lib,scripts}/**/*.{ts,tsx}", { exclude: ["lib/testing/**", "**/*.test.{ts,tsx}"] });
  expect(files.filter((file) => importing.test(readFileSync(file, "utf8")))).toEqual([]);
  expect(importing.test('import { Server } from "@modelcontextprotocol/server";')).toBe(true);
});
