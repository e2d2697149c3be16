import type { Page } from "@playwright/test";
import { gate, startThread, talkUnseen, whenAlive, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const TURNS = 40;
const LAST = TURNS - 1;

const transcript = (page: Page) => page.getByRole("region", { name: "Transcript" });
const question = (page: Page, number: number) => transcript(page).getByText(`Question ${number}.`, { exact: true });

/** No script of a page that is opened from now on runs before the gate is open. */
async function holdScripts(page: Page): Promise<ReturnType<typeof gate>> {
  const scripts = gate();
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await scripts.opened;
    await route.continue();
  });
  return scripts;
}

/** Where a visible question is, once nothing moves any more; the first one, or the one that says `text`. */
async function settled(page: Page, text?: string): Promise<{ text: string; top: number }> {
  let last = { text: "", top: Number.NaN };
  await expect(async () => {
    const now = await page.evaluate((wanted) => {
      const messages = [...document.querySelectorAll('article[aria-label="Your message"] p')];
      const found = messages.find((message) =>
        wanted === undefined ? message.getBoundingClientRect().top > 150 : message.textContent === wanted,
      );
      return { text: found?.textContent ?? "", top: found?.getBoundingClientRect().top ?? Number.NaN };
    }, text);
    const before = last;
    last = now;
    expect(now).toEqual(before);
  }).toPass({ intervals: [100] });
  return last;
}

for (const [reducedMotion, motion] of [
  ["no-preference", "with motion"],
  ["reduce", "without motion"],
] as const) {
  test.describe(motion, () => {
    test.use({ contextOptions: { reducedMotion } });

    test("A long thread opens at its end; earlier messages load while scrolling up, and nothing moves", async ({
      page,
      installation,
    }) => {
      test.slow();
      await installation.addAgent(`talker-${reducedMotion}`, [{ text: "A short answer.\n\n- with\n- a list" }]);
      await startThread(page, `talker-${reducedMotion}`, "Question 0.");
      await whenDone(page);
      const others = Array.from({ length: LAST }, (_, index) => `Question ${index + 1}.`);
      await talkUnseen(page, others);
      await expect(question(page, LAST)).toBeVisible();

      // Only the newest messages are in the page that was sent.
      const html = await (await page.request.get(page.url())).text();
      expect(html).toContain(`Question ${LAST}.`);
      expect(html).not.toContain("Question 1.");

      const answer = Promise.withResolvers<void>();
      await page.route("**/messages?cursor=*", async (route) => {
        await answer.promise;
        await route.continue();
      });
      const asked = page.waitForRequest("**/messages?cursor=*");
      await transcript(page).hover();
      await expect(async () => {
        await page.mouse.wheel(0, -400);
        await expect(page.getByRole("button", { name: "Loading earlier messages" })).toBeAttached({ timeout: 100 });
      }).toPass();
      await asked;
      const before = await settled(page);
      answer.resolve();
      await expect(page.getByText("earlier messages are shown.")).toBeAttached();
      const after = await settled(page, before.text);
      expect(Math.abs(after.top - before.top)).toBeLessThan(3);

      // With the keyboard, up to the first word.
      await transcript(page).focus();
      await expect(async () => {
        await page.keyboard.press("Home");
        await expect(page.getByText("The thread begins here.")).toBeInViewport({ timeout: 500 });
        await expect(question(page, 0)).toBeInViewport({ timeout: 500 });
      }).toPass();

      // And back to what is new.
      await page.getByRole("button", { name: "To the end" }).click();
      await expect(question(page, LAST)).toBeInViewport();
    });
  });
}

test("One press of Home leads to the beginning of a thread, however much has yet to be loaded, and End back", async ({
  page,
  installation,
}) => {
  test.slow();
  const turns = 180;
  await installation.addAgent("homing", [{ text: "Noted." }]);
  await startThread(page, "homing", "Question 0.");
  await whenDone(page);
  await talkUnseen(
    page,
    Array.from({ length: turns - 1 }, (_, index) => `Question ${index + 1}.`),
  );
  await expect(question(page, turns - 1)).toBeInViewport();
  await whenAlive(page);
  await transcript(page).focus();
  await page.keyboard.press("Home");
  await expect(page.getByText("The thread begins here.")).toBeInViewport();
  await expect(question(page, 0)).toBeInViewport();
  await page.keyboard.press("End");
  await expect(question(page, turns - 1)).toBeInViewport();
});

test("The position scrolled to before any script has run stays", async ({ page, installation }) => {
  const lines = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`);
  await installation.addAgent("early", [{ text: lines.join("\n\n") }]);
  await startThread(page, "early", "Say much");
  await whenDone(page);

  const scripts = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  const line = (number: number) => transcript(page).getByText(`Paragraph ${number}.`, { exact: true });
  await expect(line(59)).toBeInViewport();
  await line(30).scrollIntoViewIfNeeded();
  const before = await line(30).boundingBox();
  const alive = page.waitForResponse("**/api/events");
  scripts.open();
  await alive;
  await expect(page.getByRole("button", { name: "To the end" })).toBeVisible();
  expect(await line(30).boundingBox()).toEqual(before);
});

test("A side panel that was closed is not drawn again, not even before any script has run", async ({
  page,
  installation,
}) => {
  await installation.addAgent("panel", [{ text: "Done." }]);
  await startThread(page, "panel", "Do it");
  await whenDone(page);
  const panel = page.getByRole("complementary", { name: "Run" });
  await expect(panel).toBeVisible();
  await page.getByRole("button", { name: "Side panel" }).click();
  await expect(panel).toBeHidden();
  const scripts = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(transcript(page).getByText("Done.", { exact: true })).toBeVisible();
  await expect(panel).toBeHidden();
  scripts.open();
});
