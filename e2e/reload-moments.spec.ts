import type { Page } from "@playwright/test";
import { gate, lastReply, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const RELOADS = 10;
const TODOS = { todos: [{ id: "1", title: "Look around", status: "in_progress" }] };

/** The same numbers in each run of the journey, from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** What is drawn of the transcript, without the ids and comments that React makes for each page. */
async function drawn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('section[aria-label="Transcript"] [data-index]')].map((row) => {
      const copy = row.cloneNode(true) as Element;
      for (const element of [copy, ...copy.querySelectorAll("*")]) {
        for (const name of ["id", "for", "aria-controls", "aria-labelledby", "aria-describedby", "style", "tabindex"]) {
          element.removeAttribute(name);
        }
      }
      return copy.outerHTML.replaceAll(/<!--.*?-->/gu, "");
    }),
  );
}

test("Ten reloads at any moment of a run with tools end with the very transcript of a page that stayed", async ({
  page,
  context,
  installation,
}) => {
  test.slow();
  const random = randomNumbers(11);
  const gates = Array.from({ length: RELOADS }, () => gate());
  const calls = [
    [{ name: "write_todos", args: TODOS }],
    [{ name: "write_file", args: { path: "notes.md", content: "# Notes\n\nfirst\n" } }],
    [
      { name: "read_file", args: { path: "notes.md" } },
      { name: "grep", args: { pattern: "first" } },
    ],
    [{ name: "edit_file", args: { path: "notes.md", old_text: "first", new_text: "second" } }],
    [{ name: "read_file", args: { path: "absent.md" } }],
    [{ name: "calculate", args: { expression: "6 * 7" } }],
  ];
  const steps = gates.map(({ opened }, index) => ({
    reasoning: `Step ${index}: what is next?`,
    text: [`Step **${index}** `, "begins", " with `words`", ` and more.\n\n- item ${index}\n`],
    gate: opened,
    ...(index === RELOADS - 1 ? {} : { calls: calls[index % calls.length] ?? [] }),
  }));
  await installation.addAgent("reloaded", steps, { tools: ["calculate"] });
  await startThread(page, "reloaded", "Go through ten steps");
  const reloaded = await context.newPage();
  await reloaded.goto(page.url());
  for (const { open } of gates) {
    open();
    // Any moment: while words come, while a tool runs, between two steps.
    await new Promise((resolve) => setTimeout(resolve, random() * 150));
    // Chromium refuses a reload in the moment in which it replaces the page.
    await expect(() => reloaded.reload({ waitUntil: "commit" })).toPass({ timeout: 10_000 });
  }
  await Promise.all([whenDone(page), whenDone(reloaded)]);
  await expect(lastReply(page)).toContainText(`Step ${RELOADS - 1} begins with words and more.`);
  const whole = (tab: Page) => expect(lastReply(tab).getByRole("button", { name: "Good reply" })).toBeEnabled();
  await Promise.all([whole(page), whole(reloaded)]);
  const stayed = await drawn(page);
  expect(stayed.length).toBe(2);
  await expect(async () => expect(await drawn(reloaded)).toEqual(stayed)).toPass({ timeout: 10_000 });
  await page.reload();
  await whenDone(page);
  await expect(async () => expect(await drawn(page)).toEqual(stayed)).toPass({ timeout: 10_000 });
});
