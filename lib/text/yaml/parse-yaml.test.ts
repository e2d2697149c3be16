import { expect, test } from "vitest";
import { parseYaml } from "./parse-yaml";

const LIMITS = { chars: 262_144, tokens: 20_000, aliases: 20 };
const problemsOf = (text: string) => parseYaml(text, LIMITS).problems;

test("a text within the limits is its value", () => {
  expect(parseYaml("a: &x [1, two]\nb: *x\nc: |\n  long\n  text\n", LIMITS)).toMatchObject({
    problems: [],
    value: { a: [1, "two"], b: [1, "two"], c: "long\ntext\n" },
  });
});

test("16,000 keys are refused by their tokens, before a parser compares each with all others", () => {
  const text = Array.from({ length: 16_000 }, (_, at) => `k${at}: 1`).join("\n");
  expect(problemsOf(text)).toEqual([{ message: expect.stringContaining("20,000 tokens"), line: 1, column: 1 }]);
});

test("a text of more than 256 KB is refused", () => {
  expect(problemsOf(`a: "${"x".repeat(262_144)}"`)[0]?.message).toContain("262,144 characters");
});

test("a key that is there twice is found on its line, at every level", () => {
  expect(problemsOf("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\na: 2\n")).toEqual([
    { message: 'The field "c" is there twice. Remove one.', line: 5, column: 3 },
    { message: 'The field "a" is there twice. Remove one.', line: 6, column: 1 },
  ]);
});

test("1 and '1' are different keys to YAML", () => {
  expect(problemsOf("1: a\n'1': b\n")).toEqual([]);
});

test.each(["a: &a [*a]", "a: &a {b: [x, *a]}", "&a [*a]"])("%s has no end and is refused", (text) => {
  expect(problemsOf(text)).toEqual([expect.objectContaining({ message: expect.stringContaining("The alias *a") })]);
});

test("one anchor used many times is not a cycle, and more than 100 aliases are refused", () => {
  const uses = (count: number) => `a: &a 1\nb: [${Array(count).fill("*a").join(", ")}]`;
  expect(problemsOf(uses(10))).toEqual([]);
  expect(problemsOf(uses(101))[0]?.message).toContain("too many aliases");
});

test("of 6,000 errors the first 20 are reported", () => {
  expect(problemsOf("\t: :\n".repeat(3_000))).toHaveLength(20);
});

test("201 levels by indentation are too deep", () => {
  const text = Array.from({ length: 202 }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  expect(problemsOf(text)[0]?.message).toContain("nested too deeply");
});

test.each([201, 20_000])("%d levels are too deep", (levels) => {
  expect(problemsOf(`a: ${"[".repeat(levels)}${"]".repeat(levels)}`)[0]?.message).toContain("nested too deeply");
});

test.each([
  ["a: [1, 2", 1, "A ] is missing. Add it, or put the whole value in quotes."],
  ["{a: 1", 1, "A } is missing. Add it, or put the whole value in quotes."],
  ['a: "x', 1, "A closing quote is missing. Add it at the end of the value."],
  ["a:\n\t- b", 2, "The line is indented with a tab. Use spaces."],
  ["a: @x", 1, "A text cannot begin with @ unless it is quoted. Put it in quotes."],
  ["a: *x", 1, "An alias names no anchor above it. Define one with &name, or write the value out."],
  ["a: 1\n---\nb: 2", 2, "The text has more than one document. Remove the line --- and what follows."],
  ["a: b\nd", 2, "The name of a field has no colon behind it. Add one, or put the whole text in quotes."],
])("%j is refused in our words", (text, line, message) => {
  const { problems } = parseYaml(text, { chars: 1_000, tokens: 100, aliases: 10 });
  expect(problems.map((problem) => [problem.line, problem.message])).toEqual([[line, message]]);
});

test("everything wrong with a text is reported at once", () => {
  const { problems } = parseYaml("a: @x\nb: 1\nc: `y\n", { chars: 1_000, tokens: 100, aliases: 10 });
  expect(problems.map(({ line }) => line)).toEqual([1, 3]);
});

test.each([
  "__proto__: {admin: true}",
  "a:\n  - constructor: 1",
  "{a: {prototype: 1}}",
  '"__proto__": 1',
  '"\\x5f_proto__": 1',
  "a: &k __proto__\n*k : {admin: true}",
])("%j names a field as no object may have one", (text) => {
  expect(problemsOf(text)).toEqual([
    expect.objectContaining({ message: expect.stringContaining("No field may be called") }),
  ]);
});

test.each([
  "a: !!str 1",
  "a: !x {b: 1}",
  "!!map {a: 1}",
  "a: [!!int '1']",
  "!<tag:yaml.org,2002:str> a: 1",
  "a: !!binary aGk=",
])("%j has a tag and is refused", (text) => {
  expect(problemsOf(text)).toEqual([expect.objectContaining({ message: expect.stringContaining("exclamation mark") })]);
});

test("such names and marks are fine inside of values", () => {
  expect(parseYaml("a: __proto__\nb: 'hey !there'\nc: constructor", LIMITS)).toMatchObject({
    problems: [],
    value: { a: "__proto__", b: "hey !there", c: "constructor" },
  });
});
