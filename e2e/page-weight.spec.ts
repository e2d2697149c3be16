import type { Page } from "@playwright/test";
import { startThread, whenAlive, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

/** Less than the 350 KB that it may have, so that it fails if the schemas, 28 KB, are loaded at once again. */
const FIRST_LOAD_BYTES = 290 * 1024;
/** With what draws a conversation and formats its text. */
const THREAD_BYTES = 410 * 1024;

const PROSE = `## What was found

The **date range** counts *elapsed seconds*, see [the report](https://example.org/a) and \`days_between\`:

1. Compare calendar days.
2. Keep naive dates as they are.

| File | Lines |
| --- | ---: |
| date_range.py | 4 |

> A test holds it from now on.

- [x] fixed
- [ ] released
`;
const CODE = "```python\ndef days_between(start, end):\n    return (end.date() - start.date()).days\n```\n";

/** Bytes of the scripts that the page asked for until `untilMs`: as they were sent, and unpacked. */
async function scriptBytes(page: Page, untilMs = Number.MAX_VALUE): Promise<{ sent: number; whole: number }> {
  const scripts = await page.evaluate(
    (until) =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name, startTime }) => new URL(name).pathname.endsWith(".js") && startTime <= until)
        .map(({ encodedBodySize, decodedBodySize }) => ({ sent: encodedBodySize, whole: decodedBodySize })),
    untilMs,
  );
  const sum = (key: "sent" | "whole") => scripts.reduce((total, script) => total + script[key], 0);
  return { sent: sum("sent"), whole: sum("whole") };
}

/** The same once no script has come for two seconds; the network of a page never rests, for it listens to what happens. */
async function allScriptBytes(page: Page) {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let quiet = setTimeout(resolve, 2_000);
        const seen = new PerformanceObserver((list) => {
          if (!list.getEntries().some(({ name }) => new URL(name).pathname.endsWith(".js"))) return;
          clearTimeout(quiet);
          quiet = setTimeout(resolve, 2_000);
        });
        seen.observe({ type: "resource" });
      }),
  );
  return scriptBytes(page);
}

function expectLight({ sent, whole }: { sent: number; whole: number }, limitBytes: number): void {
  // Compressed, or the first number says nothing.
  expect(sent).toBeLessThan(whole / 2);
  expect(sent).toBeGreaterThan(100 * 1024);
  expect(sent).toBeLessThanOrEqual(limitBytes);
}

test("The chat page's first load brings at most 290 KB of scripts, compressed", async ({ page }) => {
  await page.goto("/", { waitUntil: "load" });
  const loadedAtMs = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return navigation?.loadEventStart ?? 0;
  });
  expect(loadedAtMs).toBeGreaterThan(0);
  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  expectLight(await scriptBytes(page, loadedAtMs), FIRST_LOAD_BYTES);
});

/** The smaller parts of a thread, and what only later moments need; the page asks for 90 KB more itself. */
const LATE_BYTES = 100 * 1024;

/** What colours code, and one grammar. */
const GRAMMAR_BYTES = 40 * 1024;

test("Opening a thread with formatted text brings at most 410 KB, and code in it what colours its language", async ({
  page,
  installation,
  admin,
  openAs,
}) => {
  await installation.addAgent("weigher", [{ text: PROSE }, { text: `${PROSE}\n${CODE}` }]);
  const weigh = async (question: string, shown: string, colouredWords = 0) => {
    await startThread(page, "weigher", question);
    await whenDone(page);
    const fresh = await openAs(admin);
    await fresh.goto(page.url(), { waitUntil: "load" });
    await expect(fresh.getByText(shown)).toBeVisible();
    await expect(fresh.locator("pre .text-code-key")).toHaveCount(colouredWords);
    // What comes once the page is idle counts too.
    await expect(fresh.getByRole("button", { name: /^Context: / })).toBeVisible();
    await expect(fresh.getByRole("meter", { name: "Context" })).toBeVisible();
    return allScriptBytes(fresh);
  };
  const prose = await weigh("What was found?", "A test holds it from now on.");
  expectLight(prose, THREAD_BYTES);
  const code = await weigh("And in code?", "def days_between", 2);
  expect(code.sent).toBeGreaterThan(prose.sent);
  expect(code.sent).toBeLessThanOrEqual(prose.sent + GRAMMAR_BYTES);
});

test("The page of a thread asks for the scripts that draw it, which don't wait for one another", async ({
  page,
  installation,
  admin,
  openAs,
}) => {
  await installation.addAgent("prompt", [{ text: PROSE }]);
  await startThread(page, "prompt", "What was found?");
  await whenDone(page);
  const fresh = await openAs(admin);
  const html = await (await fresh.request.get(page.url())).text();
  const asked = new Set(html.match(/[\w.~-]+\.js(?=")/g));
  await fresh.goto(page.url());
  await whenAlive(fresh);
  const late = await fresh.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .map(({ name, encodedBodySize }) => ({ file: name.split("/").at(-1) ?? "", sent: encodedBodySize })),
  );
  const bytes = late.filter(({ file }) => !asked.has(file)).reduce((total, { sent }) => total + sent, 0);
  expect(bytes).toBeLessThan(LATE_BYTES);
});

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("opening a thread asks for nothing of the side panel, which only a wide screen shows, until it is opened", async ({
    page,
    installation,
    admin,
    openAs,
  }) => {
    await installation.addAgent("pocket", [{ text: PROSE }]);
    await startThread(page, "pocket", "What was found?");
    await whenDone(page);
    const fresh = await openAs(admin);
    await fresh.setViewportSize({ width: 390, height: 844 });
    const asked: string[] = [];
    fresh.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const files = () => asked.filter((path) => /^\/api\/threads\/[^/]+\/files/.test(path));
    await fresh.goto(page.url());
    await expect(fresh.getByRole("button", { name: /^Context: / })).toBeVisible();
    expect(files()).toEqual([]);
    await fresh.getByRole("button", { name: /^Todos, files and usage/ }).click();
    await expect(fresh.getByRole("dialog", { name: "Run" }).getByText("No files here yet.")).toBeVisible();
    expect(files()).toHaveLength(2);
  });
});
