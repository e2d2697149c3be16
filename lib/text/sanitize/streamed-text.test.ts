import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTimeMs } from "@/lib/testing/reading/processor-time";
import { trimStep } from "./blank-lines";
import { sanitizeSteps, sanitizeText } from "./sanitize-text";
import { isSilentText, silentReplyStep, withoutToken } from "./silent-reply";
import { applyStep, chainSteps } from "./stream-step";

/** Fragments that the steps look for, in any order, with near misses. */
const PARTS = [
  "<think>",
  "</think>",
  "<thinking a='b'>",
  "</thinking >",
  "<tool_call>",
  "</tool_call>",
  '<parameter name="p">',
  "</parameter>",
  "<final>",
  "</final>",
  "<fin",
  "[Tool Call: ls]",
  "[Tool Result 1]",
  "[Historical context: x]",
  "[System Message]",
  "[Tool",
  "Arguments: ",
  '{"a": "}"}',
  "{",
  "}",
  "```",
  "\n",
  "\n\n",
  "  ",
  "A",
  "A b",
  "word ",
  "<",
  ">",
  "N",
  "NO_",
  "NO_REPLY",
  "ö𝐀",
  "x".repeat(85),
];
const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 25 }).map((parts) => parts.join(""));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

function cut(whole: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let from = 0, turn = 0; from < whole.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(whole.slice(from, from + length));
    from += length;
  }
  return pieces;
}
const sanitizer = () => chainSteps([...sanitizeSteps(), trimStep()]);

/** The text shown after each piece. */
function shownAfter(pieces: readonly string[], step = sanitizer()): string[] {
  let shown = "";
  return pieces.map((piece) => {
    shown += step.push(piece);
    return shown;
  });
}

test("however a reply is cut into pieces, what streams is what is stored", () => {
  fc.assert(
    fc.property(text, sizes, (whole, lengths) => {
      const step = sanitizer();
      const streamed =
        cut(whole, lengths)
          .map((piece) => step.push(piece))
          .join("") + step.end();
      expect(streamed).toBe(sanitizeText(whole));
    }),
    { numRuns: 3_000 },
  );
});

test("the same holds with NO_REPLY around it", () => {
  fc.assert(
    fc.property(text, sizes, (whole, lengths) => {
      const step = silentReplyStep(80);
      const streamed =
        cut(whole, lengths)
          .map((piece) => step.push(piece))
          .join("") + step.end();
      expect(streamed).toBe(applyStep(silentReplyStep(80), whole));
      expect(streamed).toBe(withoutToken(whole) ?? whole);
    }),
    { numRuns: 3_000 },
  );
});

test("a thinking block never shows, not even for a moment", () => {
  const pieces = cut("<think>secret</think>Hello <think>more secret</think>there", [1]);
  for (const shown of shownAfter(pieces)) expect("Hello there".startsWith(shown)).toBe(true);
});

describe("text is held back only while it is undecided", () => {
  test.each([
    ["plain words", ["Hello", " there"], ["Hello", "Hello there"]],
    ["a comparison", ["a <", " b"], ["a", "a < b"]],
    ["a tag of HTML", ["<", "t", "able>"], ["", "", "<table>"]],
    ["a bracket at the start of a line", ["[", "T", "ODO] x"], ["", "", "[TODO] x"]],
    ["a paragraph that begins like the one before", ["Yes.\n\n", "Ye", "ah"], ["Yes.", "Yes.", "Yes.\n\nYeah"]],
    ["a block of thoughts", ["<think>", "hm", "</think>", "Yes"], ["", "", "", "Yes"]],
  ])("%s", (_name, pieces, shown) => {
    expect(shownAfter(pieces)).toEqual(shown);
  });

  test.each([
    ["the beginning of the token", ["NO", "TE: x"], ["", "NOTE: x"]],
    ["the token as part of a word", ["NO_REPLY", "ING is fun"], ["", "NO_REPLYING is fun"]],
    ["the token with little text", ["NO_REPLY", " for now"], ["", ""]],
    ["the token with much text", ["NO_REPLY ", "x".repeat(80), "y"], ["", "", `${"x".repeat(80)}y`]],
    ["the token in the middle", ["Say NO_REP", "LY to be silent"], ["Say ", "Say NO_REPLY to be silent"]],
  ])("%s", (_name, pieces, shown) => {
    expect(shownAfter(pieces, silentReplyStep(80))).toEqual(shown);
  });
});

describe("a reply is silent", () => {
  test.each([
    ["NO_REPLY", true],
    ["  NO_REPLY\n", true],
    ["NO_REPLY.", true],
    [`NO_REPLY ${"x".repeat(79)}`, true],
    [`NO_REPLY ${"x".repeat(80)}`, true],
    [`NO_REPLY ${"x".repeat(81)}`, false],
    [`${"x".repeat(80)} NO_REPLY`, true],
    [`${"x".repeat(81)} NO_REPLY`, false],
    ["Nothing to do: NO_REPLY", true],
    ["no_reply", false],
    ["NO_REPLYING", false],
    ["XNO_REPLY", false],
    ["Write NO_REPLY to be silent.", false],
    ["", false],
  ])("%j: %s", (reply, isSilent) => {
    expect(isSilentText(reply, 80)).toBe(isSilent);
  });
});

test("what cleaning costs per piece does not grow with the reply", () => {
  const measure = (count: number) => {
    const step = sanitizer();
    const spentMs = processorTimeMs(() => {
      for (let index = 0; index < count; index += 1) step.push(index % 40 === 0 ? "end.\n\n" : `word${index} `);
    });
    return spentMs / count;
  };
  measure(20_000);
  expect(measure(160_000)).toBeLessThan(Math.max(measure(20_000), measure(20_000)) * 4);
});
