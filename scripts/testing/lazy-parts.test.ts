import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

test("a part that is loaded later has a boundary of its own: without one it hides the page, and takes its focus", () => {
  const bare = globSync("{components,lib}/**/*.{ts,tsx}").flatMap((file) =>
    callsOf("dynamic", readFileSync(file, "utf8"))
      .filter((call) => !/\bloading\b|ssr: false/.test(call))
      .map((call) => `${file}: ${call}`),
  );
  expect(bare).toEqual([]);
});

test("a part that is loaded later is asked for again while the server restarts: without that it takes the page down", () => {
  const once = globSync("{app,components,lib}/**/*.{ts,tsx}", { exclude: ["**/*.test.{ts,tsx}"] }).flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return [...callsOf("dynamic", source), ...callsOf("lazy", source)]
      .filter((call) => /\bimport\(/.test(call) && !/\b(?:loadWithRetry|loadInPieces)\(/.test(call))
      .map((call) => `${file}: ${call}`);
  });
  expect(once).toEqual([]);
});

test("a call is found with its types, too", () => {
  const source = 'const A = dynamic<Props>(() => import("./a"));\nconst B = dynamic(() => import("./b"));';
  expect(callsOf("dynamic", source)).toEqual(['dynamic<Props>(() => import("./a"))', 'dynamic(() => import("./b"))']);
});

/** The source of each call of a function, from its name to its closing parenthesis. */
function callsOf(name: string, source: string): string[] {
  return [...source.matchAll(new RegExp(`\\b${name}(?:<[^()]*>)?\\(`, "g"))].map(({ index, 0: head }) => {
    let depth = 0;
    for (let at = index + head.length - 1; at < source.length; at += 1) {
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

const STARTS = ["lib/server/wiring/start-server.ts", "lib/server/wiring/start-context.ts", "app/health/route.ts"];
/** Hundreds of modules each: for cookies and passwords, outgoing requests, Postgres and its jobs, providers, MCP, mail. */
const NOT_AT_START =
  /^(?:better-auth|undici|pg|pg-boss|imapflow|web-push|ai|@ai-sdk\/(?:anthropic|google|openai)|@modelcontextprotocol\/.+)$/;

test("a start loads no library that only later work needs", () => {
  const packages = packagesBehind(STARTS);
  expect([...packages].filter((name) => NOT_AT_START.test(name))).toEqual([]);
  expect(packages).toContain("better-sqlite3");
  expect(packagesBehind(["lib/server/users/auth/better-auth.ts"])).toContain("better-auth");
});

const CHAT_SCRIPTS = [
  "components/shell/shell-view.tsx",
  "components/chat/known-data.tsx",
  "components/chat/threads/thread-list-view.tsx",
  "components/chat/new-thread-view.tsx",
  "components/chat/lazy-thread-page.tsx",
];

test("the chat's first scripts are without schemas: those of one list keep a phone busy for a fifth of a second", () => {
  const withSchemas = CHAT_SCRIPTS.filter((file) => packagesBehind([file]).has("zod"));
  expect(withSchemas).toEqual([]);
  expect(packagesBehind(["lib/client/chat/page-schemas.ts"])).toContain("zod");
});

/** The packages that the files import, themselves or by what they import; imports of types and on first use don't count. */
function packagesBehind(entries: readonly string[]): Set<string> {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files) {
    const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type\b)(?:[^;"]*\bfrom )?"([^"]+)"/gm);
    for (const [, specifier = ""] of imports) {
      const found = specifier.startsWith(".")
        ? path.join(path.dirname(file), specifier)
        : specifier.replace(/^@\//, "");
      const source = [".ts", ".tsx"].map((ending) => `${found}${ending}`).find((name) => existsSync(name));
      if (source !== undefined) files.add(source);
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
    }
  }
  return packages;
}
