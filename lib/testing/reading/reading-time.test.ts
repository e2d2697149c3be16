import { expect, test } from "vitest";
import { CHANNEL_READERS } from "./channel-readers";
import { DEMO_READERS } from "./demo-readers";
import { FILE_READERS } from "./file-readers";
import { findReaders, readersIn } from "./find-readers";
import { MODEL_READERS } from "./model-readers";
import { NOT_TIMED } from "./not-timed";
import { ODD_TEXTS, type OddText } from "./odd-texts";
import { PAGE_READERS } from "./page-readers";
import { processorClock } from "./processor-time";
import type { Reader } from "./reader";
import { REQUEST_READERS } from "./request-readers";

const READERS = {
  ...MODEL_READERS,
  ...DEMO_READERS,
  ...CHANNEL_READERS,
  ...FILE_READERS,
  ...PAGE_READERS,
  ...REQUEST_READERS,
};

const LONG = 8_000;
const TIMES = 8;
/** Reading the long text takes as long as reading an eighth of it eight times, or with the square eight times as long. */
const MOST_GROWTH = 3;
/** Below this a clock says too little. */
const FLOOR_MS = 8;
/** An eighth that takes longer is not read again in full. */
const MOST_MS = 1_000;
const TRIES = 5;

async function timeOf(read: Reader, text: string, times = 1): Promise<number> {
  const elapsedMs = processorClock();
  for (let time = 0; time < times; time += 1) {
    try {
      await read(text);
    } catch {
      // Refusing a text is reading it, too.
    }
  }
  return elapsedMs();
}

/** What the text takes, where that grows with more than its length; null where it does not. */
async function growthOf(read: Reader, text: OddText): Promise<string | null> {
  const [short, long] = [text.of(LONG / TIMES), text.of(LONG)];
  const first = await timeOf(read, short);
  if (first > MOST_MS / TIMES) return `${text.name}: ${first.toFixed(0)} ms for ${LONG / TIMES} characters`;
  let [longMs, shortMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let time = 0; time < TRIES; time += 1) {
    longMs = Math.min(longMs, await timeOf(read, long));
    if (longMs <= FLOOR_MS) return null;
    shortMs = Math.min(shortMs, await timeOf(read, short, TIMES));
    if (longMs <= MOST_GROWTH * shortMs) return null;
  }
  return `${text.name}: ${longMs.toFixed(0)} ms, and ${shortMs.toFixed(0)} ms in ${TIMES} parts`;
}

test.each(Object.entries(READERS))("%s reads odd texts in time in proportion to their length", async (_, read) => {
  const found: string[] = [];
  for (const text of ODD_TEXTS) {
    const line = await growthOf(read, text);
    if (line) found.push(line);
  }
  expect(found).toEqual([]);
});

test("a reader that takes time with the square of the length is found", async () => {
  const squared: Reader = (text) => {
    let count = 0;
    for (let at = 0; at < text.length; at += 8) count += text.slice(at).split("\n").length;
    return count;
  };
  const lineEnds = ODD_TEXTS.find(({ name }) => name === '"\\n…"');
  expect(lineEnds && (await growthOf(squared, lineEnds))).toMatch(/ ms/);
});

const named = new Set(Object.keys(READERS).map((name) => name.split(" ")[0] ?? ""));
const found = findReaders(process.cwd());

test("every function that takes a text is timed, or says why not", () => {
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter((name) => !named.has(name) && !NOT_TIMED.has(name))).toEqual([]);
});

test("none is timed and excused, and none is excused that is gone", () => {
  expect([...NOT_TIMED.keys()].filter((name) => named.has(name) || !found.includes(name))).toEqual([]);
});

test("functions that take a text are found by the names of their parameters", () => {
  const code = `
    export function read(text: string): number { return text.length; }
    export const count = (html: string | null, limit = 4) => html;
    export function find(id: string): string { return id; }
    export async function fetchAll(text: string): Promise<void> {}
    function own(text: string) {}
  `;
  expect(readersIn("a.ts", code)).toEqual(["a.ts#read", "a.ts#count"]);
});
