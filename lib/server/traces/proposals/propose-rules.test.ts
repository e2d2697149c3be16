import { expect, test } from "vitest";
import { type DecidedCall, proposeRules } from "./propose-rules";

const call = (tool: string, args: DecidedCall["args"], decision = "allow"): DecidedCall => ({
  ...{ tool, args, decision },
  pathArgument: tool === "write_file" ? "path" : null,
});
const run = (command: string, decision = "allow") => call("execute", { command }, decision);
const times = (count: number, one: DecidedCall) => Array.from({ length: count }, () => one);
const proposed = (...calls: (DecidedCall | DecidedCall[])[]) =>
  proposeRules(calls.flat()).map(({ pattern, calls: { length } }) => [pattern, length]);

test("a command that people allowed five times is proposed by its words, four times are too few", () => {
  const [found] = proposeRules(times(5, run("npm run build")));
  expect(found).toMatchObject({ rule: { tool: "execute", args: {}, prefix: "npm run build" }, scope: "command" });
  expect(proposed(times(4, run("npm run build")))).toEqual([]);
});

test("commands that differ are proposed by the words that they begin with, the longest that are common enough", () => {
  const logs = ["git log", "git log -1", "git log --oneline", "git log main", "git log -p"].map((text) => run(text));
  expect(proposed(logs, times(6, run("git diff main")))).toEqual([
    ["git diff main", 6],
    ["git log", 5],
  ]);
});

test("nothing is proposed that covers a call which a person denied or edited", () => {
  const builds = times(6, run("npm run build"));
  expect(proposed(builds, run("npm run build --force", "deny"))).toEqual([]);
  expect(proposed(builds, run("npm run build --force", "edit"))).toEqual([]);
  expect(proposed(builds, run("npm run release", "deny"))).toEqual([["npm run build", 6]]);
  expect(proposed(builds, call("execute", null, "deny"))).toEqual([]);
});

test("a denial below a wider prefix leaves the narrower ones", () => {
  const many = ["a", "b", "c", "d", "e"].map((name) => run(`npm run ${name}`));
  expect(proposed(many)).toEqual([["npm run", 5]]);
  expect(proposed(many, run("npm run release", "deny"))).toEqual([]);
  expect(proposed(many, times(5, run("npm run a")), run("npm run release", "deny"))).toEqual([["npm run a", 6]]);
});

test.each([
  ["one word", "make"],
  ["several commands in a row", "npm ci && npm test"],
  ["a substitution", "echo $(date)"],
  ["a word with both quotes", `echo "it's"`],
])("%s is never proposed", (_, command) => {
  expect(proposed(times(9, run(command)))).toEqual([]);
});

test("what runs another program is proposed only as people saw it", () => {
  const codes = [1, 2, 3, 4, 5].map((number) => run(`python3 -c 'print(${number})'`));
  expect(proposed(codes)).toEqual([]);
  expect(proposed([1, 2, 3, 4, 5].map((number) => run(`sudo npm ${number}`)))).toEqual([]);
  expect(proposed([1, 2, 3, 4, 5].map((number) => run(`/usr/bin/env npm ${number}`)))).toEqual([]);
  expect(proposed([1, 2, 3, 4, 5].map((number) => run(`tar -C dir${number}`)))).toEqual([]);
  expect(proposed(times(5, run("python3 -c 'print(1)'")))).toEqual([["python3 -c 'print(1)'", 5]]);
});

test("a tool with a path is proposed by it, whatever else is in the call", () => {
  const writes = [1, 2, 3, 4, 5].map((content) => call("write_file", { path: "notes.md", content }));
  const [found] = proposeRules(writes);
  expect(found).toMatchObject({ rule: { tool: "write_file", args: { path: "notes.md" } }, pattern: "path: notes.md" });
  expect(proposed(writes, call("write_file", { path: "notes.md", content: 6 }, "deny"))).toEqual([]);
  expect(proposed(writes, call("write_file", { path: "other.md", content: 6 }, "deny"))).toHaveLength(1);
  expect(proposed(times(5, call("write_file", { path: "*.md", content: 1 })))).toEqual([]);
});

test("another call is proposed by exactly its arguments", () => {
  const comment = (text: string) => call("add_comment", { text, repo: "acme/shop", draft: false });
  expect(proposed(times(5, comment("done")))).toEqual([["draft: false, repo: acme/shop, text: done", 5]]);
  expect(proposed(["a", "b", "c", "d", "e"].map(comment))).toEqual([]);
  expect(proposed(times(5, comment("what?")))).toEqual([]);
  expect(proposed(times(5, call("ping", {})))).toEqual([]);
});
