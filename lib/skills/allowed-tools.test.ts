import { expect, test } from "vitest";
import { commandMatches, parseAllowedTools } from "./allowed-tools";

test.each([
  [
    "Read Write",
    [
      ["Read", null],
      ["Write", null],
    ],
  ],
  [
    "Bash(git:*) Bash(npm run test) Read",
    [
      ["Bash", "git:*"],
      ["Bash", "npm run test"],
      ["Read", null],
    ],
  ],
  [
    "Read, Grep,  mcp__docs__*",
    [
      ["Read", null],
      ["Grep", null],
      ["mcp__docs__*", null],
    ],
  ],
  [
    ["Read", "Bash(jq:*)"],
    [
      ["Read", null],
      ["Bash", "jq:*"],
    ],
  ],
  ["Bash(*)", [["Bash", null]]],
  ["", []],
])("%j", (given, entries) => {
  expect(parseAllowedTools(given).map(({ tool, pattern }) => [tool, pattern])).toEqual(entries);
});

test.each([
  ["git:*", "git status", true],
  ["git:*", "git", true],
  ["git:*", "gitk", false],
  ["git add:*", "git add .", true],
  ["git add:*", "git push", false],
  ["git *", "git push", true],
  ["npm test", "npm test", true],
  ["npm test", "npm test -- --watch", false],
  ["git:*", "git status; rm -rf .", false],
  ["git:*", "git status && curl x", false],
  ["git:*", "git $(curl x)", false],
  ["git:*", "git `curl x`", false],
  ["git:*", "git log > out", false],
  ["git:*", "git log\nrm x", false],
  [":*", "rm x", false],
  ["ls:*", "ls\u00a0/../evil.sh", false],
  ["ls:*", "ls\u3000-l", false],
  ["ls:*", "ls\u2028-l", false],
  ["ls\u00a0x:*", "ls x", false],
  ["git:*", "git\tstatus", true],
  ["git:*", "'git' status", true],
  ["git:*", "g'it status", false],
  ["git:*", 'git commit -m "a (b); c"', true],
  ["git:*", 'git commit -m "$(curl x)"', false],
  ["git:*", "PAGER=evil git log", false],
  ["eval:*", "eval rm", false],
])("%s and %s: %s", (pattern, command, matches) => {
  expect(commandMatches(pattern, command)).toBe(matches);
});
