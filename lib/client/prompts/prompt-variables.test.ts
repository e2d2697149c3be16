import { expect, test } from "vitest";
import { fillPrompt, variablesOf } from "./prompt-variables";

const REVIEW = "Review {{file}} for {{kind=bugs}}. Say what {{ file }} lacks, {{two words}}.";

test("each variable is asked for once, with what it begins with", () => {
  expect(variablesOf(REVIEW)).toEqual([
    { name: "file", initial: "" },
    { name: "kind", initial: "bugs" },
    { name: "two words", initial: "" },
  ]);
});

test("every place of a variable gets its value, exactly as it was typed", () => {
  const values = { file: "a$&.ts", kind: "{{kind}}", "two words": "please" };
  expect(fillPrompt(REVIEW, values)).toBe("Review a$&.ts for {{kind}}. Say what a$&.ts lacks, please.");
});

test("braces that name nothing are text", () => {
  const text = "const a = {{}}; {{ 1 }} {single} {{a{b}}}";
  expect(variablesOf(text)).toEqual([]);
  expect(fillPrompt(text, {})).toBe(text);
});
