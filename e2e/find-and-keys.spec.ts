import type { Page } from "@playwright/test";
import { composer, gate, lastReply, pressUntil, startThread, talkUnseen, threadRow, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const TURNS = 60;

const shownInSight = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const box = document.querySelector('section[aria-label="Transcript"]')?.getBoundingClientRect();
    return [...document.querySelectorAll("article")].some((article) => {
      const { top } = article.getBoundingClientRect();
      return article.textContent?.includes(wanted) && box !== undefined && top > box.top - 40 && top < box.bottom;
    });
  }, text);

test("Find in thread finds words in messages that are not mounted, by keys alone", async ({ page, installation }) => {
  test.slow();
  await installation.addAgent("seeker", [{ text: "It is **gone**.\n\n- one\n- two" }]);
  await startThread(page, "seeker", "A heron and a second heron.");
  await whenDone(page);
  const others = Array.from({ length: TURNS - 2 }, (_, index) => `Question ${index + 3}.`);
  await talkUnseen(page, ["Where is the Heron?", ...others]);
  await expect(page.getByText(`Question ${TURNS}.`, { exact: true })).toBeVisible();
  await expect(page.getByText("Where is the Heron?")).toHaveCount(0);
  await composer(page).focus();
  const field = page.getByRole("searchbox", { name: "Find in thread" });
  // Until the page is alive, the keys are the browser's.
  await pressUntil(page, "ControlOrMeta+f", field);
  await expect(field).toBeFocused();
  await page.keyboard.type("heron");
  const count = page.getByRole("search").getByRole("status");
  await expect(count).toHaveText("1 of 3");
  await expect.poll(() => shownInSight(page, "A heron and a second heron.")).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(count).toHaveText("3 of 3");
  await expect.poll(() => shownInSight(page, "Where is the Heron?")).toBe(true);
  await page.keyboard.press("Enter");
  await expect(count).toHaveText("1 of 3");
  await page.keyboard.press("Shift+Enter");
  await expect(count).toHaveText("3 of 3");
  await expect.poll(() => page.evaluate(() => CSS.highlights.get("found-now")?.size)).toBe(1);
  await field.fill("is gone");
  await expect(count).toHaveText(`1 of ${TURNS}`);
  await field.fill("nowhere to be found");
  await expect(count).toHaveText("Nothing found");
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();
  await expect(composer(page)).toBeFocused();
  await page.getByRole("main").getByRole("button", { name: "Thread actions" }).click();
  await page.getByRole("menuitem", { name: /^Find in thread/ }).click();
  await expect(field).toBeFocused();
  await checkAccessibility(page, new URL(page.url()).pathname, async () => {
    await expect(page.getByText(`Question ${TURNS}.`, { exact: true })).toBeVisible();
    await pressUntil(page, "ControlOrMeta+f", field);
    await field.fill("heron");
    await expect(count).toHaveText("1 of 3");
  });
  // On a phone the search covers nothing of the first message.
  const edges = await Promise.all(
    [page.getByRole("search"), page.getByRole("region", { name: "Transcript" })].map((part) => part.boundingBox()),
  );
  const [bar, transcript] = edges;
  expect(bar && bar.y + bar.height).toBeLessThanOrEqual(transcript?.y ?? 0);
  await page.screenshot({ path: "test-results/find-phone.png" });
});

test("j and k go from message to message, and a card is one stop of Tab", async ({ page, installation }) => {
  await installation.addAgent("stepper", [
    { calls: [{ name: "calculate", args: { expression: "6 * 7" } }] },
    { text: "It is 42." },
  ]);
  await startThread(page, "stepper", "What is it?");
  await whenDone(page);
  await page.getByRole("heading", { level: 1 }).click();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  await page.keyboard.press("j");
  await expect.poll(focused).toBe("Your message");
  await page.keyboard.press("j");
  await expect.poll(focused).toBe("Reply");
  await page.keyboard.press("j");
  expect(await focused()).toBe("Reply");
  await page.keyboard.press("k");
  await expect.poll(focused).toBe("Your message");
  await page.keyboard.press("j");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^calculate/ })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "Copy call and result" })).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy reply" })).toBeFocused();
  // The thumbs are loaded after the reply.
  await expect(lastReply(page).getByRole("button", { name: "Bad reply" })).toBeVisible();
  await page.keyboard.press("End");
  await expect(lastReply(page).getByRole("button", { name: "Bad reply" })).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Next and previous message");
});

test("The focus is never lost: at the end of a run, and with a row that is deleted", async ({ page, installation }) => {
  const held = gate();
  await installation.addAgent("focus-holder", [{ text: "unsent", gate: held.opened }, { text: "Done." }]);
  await startThread(page, "focus-holder", "Focus kept here");
  await expect(lastReply(page)).toHaveAttribute("aria-busy", "true");
  await page.getByRole("button", { name: /^Stop/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Stopped by you" })).toBeVisible();
  held.open();
  await expect(page.getByRole("status").filter({ hasText: "The run was stopped" })).toBeAttached();
  await expect(composer(page)).toBeFocused();

  const row = threadRow(page, /Focus kept here/);
  await row.getByRole("button", { name: "Thread actions" }).focus();
  await page.goto("/");
  await expect(composer(page)).toBeFocused();
  await row.getByRole("button", { name: "Thread actions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await expect(row).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName ?? "BODY")).not.toBe("BODY");
});
