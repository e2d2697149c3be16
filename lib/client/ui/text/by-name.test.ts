import { expect, test } from "vitest";
import { byName } from "./by-name";

const sorted = (...names: string[]) => byName(names.map((name) => ({ name }))).map(({ name }) => name);

test.each([
  [["writer 2", "Coder", "assistant", "Writer 10", "Code"]],
  [["Zoë", "zebra", "Écrivain", "editor"]],
  [["a-b", "a b", "ab", "a_b"]],
])("sorts %j as a dictionary does", (names) => {
  expect(sorted(...names)).toEqual(names.toSorted((left, right) => left.localeCompare(right, "en")));
});
