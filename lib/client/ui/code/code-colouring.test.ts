import { expect, test } from "vitest";
import { CodeColouring, type Pause } from "./code-colouring";
import type { HighlightedLine } from "./code-token";
import type { Language } from "./languages";

/** A colouring whose waits end on the test's command. */
function colour(code: string, language: Language = "python") {
  const published: (readonly HighlightedLine[])[] = [];
  const waits: { delayMs: number; end: () => void }[] = [];
  const waited: (() => void)[] = [];
  const wait: Pause = (delayMs) =>
    new Promise((resolve) => {
      waits.push({ delayMs, end: resolve });
      waited.shift()?.();
    });
  const colouring = new CodeColouring(language, (lines) => published.push(lines), wait);
  const atOnce = colouring.update(code);
  const nextWait = () => (waits.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => waited.push(resolve)));
  return {
    colouring,
    published,
    atOnce,
    /** Lets it work until it rests after a pass; resolves to how often it yielded before. */
    untilRest: async () => {
      for (let slices = 0; ; slices += 1) {
        await nextWait();
        if (waits[0]?.delayMs !== 0) return slices;
        waits.shift()?.end();
      }
    },
    endRest: () => waits.shift()?.end(),
    /** Ends its next wait, which must be one that only lets others go first. */
    takeTurn: async () => {
      await nextWait();
      expect(waits[0]?.delayMs).toBe(0);
      waits.shift()?.end();
    },
  };
}

const looks = (lines: readonly HighlightedLine[] | undefined) =>
  lines?.map(({ tokens }) => tokens.map(({ look }) => look).join(" "));

test("the first code of a language waits for its grammar, later short ones are coloured at once", async () => {
  const first = colour("x = 1");
  expect(first.atOnce).toBeNull();
  await first.untilRest();
  expect(looks(first.published.at(-1))).toEqual(["plain number"]);
  expect(looks(colour("return 1").atOnce ?? [])).toEqual(["key plain number"]);
});

test("blocks that wait for the same grammar are coloured one after the other, none of them while the page is drawn", async () => {
  const blocks = [colour("let a = 1", "rust"), colour("let b = 2", "rust")];
  for (const block of blocks) await block.takeTurn();
  const [first, second] = blocks;
  await first?.takeTurn();
  await first?.untilRest();
  expect(looks(first?.published.at(-1))).toEqual(["key plain number"]);
  expect(second?.published).toEqual([]);
  await second?.takeTurn();
  await second?.untilRest();
  expect(looks(second?.published.at(-1))).toEqual(["key plain number"]);
});

test("a code that grows is coloured again after a rest, and lines that stay the same are the same objects", async () => {
  const code = `"""a\n${"for x\n".repeat(900)}`;
  const { colouring, published, untilRest, endRest } = colour(code);
  await untilRest();
  const before = published.at(-1);
  colouring.update(`${code}"""\nfor`);
  expect(published.at(-1)).toBe(before);
  endRest();
  await untilRest();
  expect(looks(published.at(-1)?.slice(-2))).toEqual(["string", "key"]);
  expect(published.at(-1)?.[0]).toBe(before?.[0]);
});

test("a long code is coloured piece by piece, with time for others in between", async () => {
  const { published, untilRest } = colour("def area(a, b):\n    return a * b  # why\n".repeat(3_000));
  expect(await untilRest()).toBeGreaterThan(3);
  expect(published.length).toBeGreaterThan(3);
  expect(published.at(-1)).toHaveLength(6_001);
});

test("nothing is published once nobody is looking", async () => {
  const { colouring, published, untilRest, endRest } = colour("x = 1\n".repeat(1_000));
  await untilRest();
  const count = published.length;
  colouring.update("x = 2\n".repeat(1_000));
  colouring.stop();
  endRest();
  await new Promise(setImmediate);
  expect(published).toHaveLength(count);
});
