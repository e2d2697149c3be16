import type { Page } from "@playwright/test";
import { gate, send, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const SECTION = `## Part

A paragraph with **strong** words, \`code\` and [a link](https://example.org/a), long enough to be a real one: what was
measured, why it matters, and which of the numbers below can be trusted at all.

- first point with *some* words
- second point
  - one below it

| Name | Value | Remark |
| --- | ---: | --- |
| alpha | 1.5 | as measured |
| beta | 2.25 | as told |

\`\`\`python
def days_between(start, end):
    """Calendar days, whatever the hour."""
    return (end.date() - start.date()).days
\`\`\`

`;
const LENGTH = 120_000;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  /** Processor time in microseconds, unlike `dur`: what other processes took is not in it. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The longest tasks of the page's main thread, in milliseconds of processor time, once `afterMs` have passed. */
function longestTasks(trace: Buffer, afterMs: number): number[] {
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const tasks = traceEvents.filter(({ name, ph }) => ph === "X" && name === "RunTask");
  const mains = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isMain = ({ pid, tid }: TraceEvent) => mains.some((main) => main.pid === pid && main.tid === tid);
  const onMain = tasks.filter(isMain);
  const begin = Math.min(...onMain.map(({ ts }) => ts)) + afterMs * 1_000;
  return onMain
    .filter(({ ts }) => ts >= begin)
    .map(({ tdur = 0 }) => Math.round(tdur / 1_000))
    .sort((one, other) => other - one);
}

/** Waits within the page: what a locator asks about each time takes longer than all that the page does itself. */
function untilWritten(page: Page, tables: number): Promise<void> {
  return page.evaluate(
    (count) =>
      new Promise<void>((done) => {
        const timer = setInterval(() => {
          const replies = document.querySelectorAll("article[aria-busy]");
          const reply = replies.item(replies.length - 1);
          if (reply.getAttribute("aria-busy") !== "false" || reply.getElementsByTagName("table").length < count) return;
          clearInterval(timer);
          done();
        }, 250);
      }),
    tables,
  );
}

// Playwright's own trace takes a picture of the whole page again and again.
test.use({ trace: "off" });

/** Time that a virtual machine's host takes counts as the page's, so the best of several answers is what is measured. */
const MOST_ANSWERS = 3;
/** A hiccup of the machine makes single tasks long; what a growing answer costs makes many so. */
const HICCUPS = 4;
const MOST_TASK_MS = 50;
/** The limit is for a machine that counts the words below in this time; a slower one may take longer in proportion. */
const COUNTING_MS = 7;

/** How long the page takes for a fixed piece of work, in milliseconds. */
function countWords(page: Page): Promise<number> {
  return page.evaluate(() => {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 10; run++) {
      const begin = performance.now();
      const words = new Map<string, number>();
      for (let at = 0; at < 60_000; at++) {
        const word = `w${(at * 7_919) % 5_000}`;
        words.set(word, (words.get(word) ?? 0) + 1);
      }
      best = Math.min(best, performance.now() - begin);
    }
    return best;
  });
}

test("An answer of 120,000 characters is formatted while it streams, in tasks of at most 50 ms", async ({
  page,
  browser,
  installation,
}) => {
  test.slow();
  const text = SECTION.repeat(Math.ceil(LENGTH / SECTION.length));
  // Faster than any model: about 60 characters every 3 ms.
  const pieces = text.match(/[\s\S]{1,60}/gu) ?? [];
  const gates = Array.from({ length: MOST_ANSWERS }, gate);
  await installation.addAgent(
    "long-writer",
    gates.flatMap(({ opened }) => [{ text: "Ready." }, { text: pieces, eventDelayMs: 3, gate: opened }]),
  );
  const sections = Math.ceil(LENGTH / SECTION.length);
  const measured: { readonly taskMs: number; readonly limitMs: number }[] = [];
  for (const begin of gates) {
    await startThread(page, "long-writer", "Are you ready?");
    await whenDone(page);
    await send(page, "Write it all");
    const countingMs = [await countWords(page)];
    await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline"] });
    begin.open();
    await untilWritten(page, sections);
    const tasks = longestTasks(await browser.stopTracing(), 1_000);
    countingMs.push(await countWords(page));
    await whenDone(page);
    const reply = page.getByRole("article", { name: "Reply" }).last();
    await expect(reply.getByRole("heading", { name: "Part" })).toHaveCount(sections);
    await expect(reply.getByRole("table")).toHaveCount(sections);
    expect(tasks.length).toBeGreaterThan(100);
    const limitMs = MOST_TASK_MS * Math.max(1, Math.max(...countingMs) / COUNTING_MS);
    const taskMs = tasks[HICCUPS] ?? 0;
    measured.push({ taskMs, limitMs });
    if (taskMs <= limitMs) break;
  }
  expect(
    measured.some(({ taskMs, limitMs }) => taskMs <= limitMs),
    JSON.stringify(measured),
  ).toBe(true);
});
