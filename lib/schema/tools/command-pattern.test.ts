import { expect, test } from "vitest";
import { explainPattern, patternMatches, simpleCommand, suggestPattern } from "./command-pattern";

test.each([
  ["npm test", ["npm", "test"]],
  ["  git  commit -m 'a; b | c' ", ["git", "commit", "-m", "a; b | c"]],
  ['echo "one two"three', ["echo", "one twothree"]],
])("%j is one simple command", (text, words) => {
  expect(simpleCommand(text)).toEqual(words);
});

test.each([
  "",
  "npm test; rm -rf /",
  "npm test && true",
  "npm test & true",
  "npm test | sh",
  "npm test > /etc/passwd",
  "npm test < x",
  "npm test $(id)",
  "npm test `id`",
  "npm test $HOME",
  'npm test "$(id)"',
  'npm test "`id`"',
  "npm test\nrm -rf /",
  "npm test\rrm",
  "npm test 'a\nb'",
  "npm test \\\nrm",
  "npm test *",
  "npm test ~root",
  "npm test {a,b}",
  "npm test # comment",
  "(npm test)",
  "PATH=/tmp npm test",
  "if true",
  "eval npm test",
  "! npm test",
  "npm test 'open",
])("%j is not", (text) => {
  expect(simpleCommand(text)).toBeNull();
});

test.each([
  ["npm test", "npm test --watch", true],
  ["npm test", "npm 'test'", true],
  ["npm test", "npm testing", false],
  ["npm test", "npm run test", false],
  ["npm test", "npm", false],
  ["npm test", "npm test; rm -rf /", false],
  ["npm test; rm", "npm test; rm", false],
])("the pattern %j and the command %j: %s", (pattern, command, matches) => {
  expect(patternMatches(pattern, command)).toBe(matches);
});

test("what is suggested is a pattern that matches, and what it lets through is said by the same rule", () => {
  expect(suggestPattern("npm test --watch")).toBe("npm test");
  expect(suggestPattern("npm test | tee log")).toBeNull();
  const { runs = [], asks = [] } = explainPattern("npm test") ?? {};
  expect(runs.every((command) => patternMatches("npm test", command))).toBe(true);
  expect(asks.some((command) => patternMatches("npm test", command))).toBe(false);
});
