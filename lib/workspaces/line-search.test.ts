import { expect, test } from "vitest";
import { compileSearch, searchLines } from "./line-search";

/** The longest time in ms for which `work` blocked everything else. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

/** For each character of this text, RE2 visits nearly every state of its program. */
const SLOW = "(?:[ab]{1,40}a){20}[c-z]$";
const random = (length: number) => {
  let seed = 1;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed < 1_073_741_824 ? "a" : "b";
  };
  return Array.from({ length }, next).join("");
};
const find = (pattern: string, text: string, limitMs?: number) =>
  searchLines("f", new TextEncoder().encode(text), compileSearch(pattern, true, limitMs), 10);

test("a long line and a pattern that is slow on it hold up nobody", async () => {
  const line = random(16_000);
  let found: unknown;
  const held = await longestHold(async () => {
    found = await find(SLOW, `${line}\n${line}ac\n`);
  });
  expect(found).toMatchObject([{ line: 2 }]);
  expect(held).toBeLessThan(250);
}, 30_000);

test("a search beyond its time is stopped in the middle of a line, with what to do", async () => {
  const startedAt = performance.now();
  await expect(find(SLOW, `${random(60_000)}\n`.repeat(50), 500)).rejects.toThrow(/longer than 0.5 s. Narrow it/);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
}, 30_000);

test("several slow searches at once all get their answer", async () => {
  const text = `${random(2_000)}ac\n`;
  const found = await Promise.all(Array.from({ length: 4 }, () => find(SLOW, text)));
  expect(found.map((matches) => matches.length)).toEqual([1, 1, 1, 1]);
}, 30_000);
