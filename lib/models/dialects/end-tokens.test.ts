import fc from "fast-check";
import { expect, test } from "vitest";
import { EndTokens } from "./end-tokens";

function read(pieces: readonly string[]): string {
  const tokens = new EndTokens();
  return pieces.map((piece) => tokens.push(piece)).join("") + tokens.end();
}

const CASES: readonly (readonly [string, string])[] = [
  ["Yes.<|im_end|>", "Yes."],
  ["Yes.\n<|im_end|>\n<|endoftext|>\n", "Yes.\n"],
  ["Yes.</s>", "Yes."],
  ["<s>old</s>", "<s>old</s>"],
  ['<s class="x">old</s>', '<s class="x">old</s>'],
  ["a < b <", "a < b <"],
  ["It ends with `<|im_end|>`.", "It ends with `<|im_end|>`."],
  ["<|im_end|> ends a turn.", "<|im_end|> ends a turn."],
  ["Yes.<end_of_turn><eos>", "Yes."],
  ["Yes.<|im_", "Yes.<|im_"],
  ["是。<｜end▁of▁sentence｜>", "是。"],
];

test.each(CASES)("of %j there stays %j", (text, left) => {
  expect(read([text])).toBe(left);
});

test("tokens are found however the text is cut", () => {
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom(...CASES), cuts, ([text, left], at) => {
      const ends = [...at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
      expect(read(ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)))).toBe(left);
    }),
  );
});
