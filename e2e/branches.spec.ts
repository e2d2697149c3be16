import type { Locator, Page } from "@playwright/test";
import { composer, gate, lastReply, openCosts, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const ownMessage = (page: Page, text: string) =>
  page.getByRole("article", { name: "Your message" }).filter({ hasText: text });

async function editMessage(page: Page, from: string, to: string): Promise<void> {
  await ownMessage(page, from).hover();
  await ownMessage(page, from).getByRole("button", { name: "Edit" }).click();
  const field = page.getByRole("textbox", { name: "Edit message" });
  await expect(field).toBeFocused();
  await field.fill(to);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(field).toBeHidden();
}

test("A message is edited, its versions are shown in turn, and another tab and a reload show the same", async ({
  page,
  installation,
  openAs,
  admin,
}) => {
  await installation.addAgent("branched", [{ text: "First answer." }, { text: "Second answer." }, { text: "On top." }]);
  await startThread(page, "branched", "Why is it slow?");
  await whenDone(page);
  const other = await openAs(admin);
  await other.goto(page.url());
  await editMessage(page, "Why is it slow?", "Why is it slow on Sundays?");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("Second answer.");
  await expect(composer(page)).toBeFocused();
  await expect(page.getByText("First answer.")).toBeHidden();
  await expect(page.getByText("2 / 2")).toBeVisible();
  await expect(page.getByText("Files are not rolled back")).toBeVisible();
  await expect(lastReply(other)).toContainText("Second answer.");
  await page.getByRole("button", { name: "Previous version" }).click();
  await expect(lastReply(page)).toContainText("First answer.");
  await expect(page.getByText("1 / 2")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next version" })).toBeFocused();
  await expect(lastReply(other)).toContainText("First answer.");
  await page.reload();
  await expect(lastReply(page)).toContainText("First answer.");
  await expect(page.getByText("1 / 2")).toBeVisible();
  // A page that has just loaded takes keys only once it is alive.
  await expect(async () => {
    await page.getByRole("region", { name: "Transcript" }).focus();
    await page.keyboard.press("Shift+ArrowRight");
    await expect(lastReply(page)).toContainText("Second answer.", { timeout: 2_000 });
  }).toPass();
  await send(page, "And now?");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("On top.");
  await checkAccessibility(page, new URL(page.url()).pathname, async () => {
    await expect(page.getByText("2 / 2")).toBeVisible();
    await expect(async () => {
      await page.getByRole("button", { name: "Edit" }).first().press("Enter", { timeout: 1_000 });
      await expect(page.getByRole("textbox", { name: "Edit message" })).toBeFocused({ timeout: 2_000 });
    }).toPass();
  });
});

test("What a version leads to is read by assistive technology: its files, its other answers, its fork", async ({
  page,
  installation,
}) => {
  await installation.addAgent("versioned", [
    { calls: [{ name: "write_file", args: { path: "plan.md", content: "# Plan" } }] },
    { text: "First way." },
    { text: "Second way." },
  ]);
  await startThread(page, "versioned", "Which plan?");
  await whenDone(page);
  await editMessage(page, "Which plan?", "Which plan is better?");
  await whenDone(page);
  const path = new URL(page.url()).pathname;
  // A page that has just loaded takes a press only once it is alive.
  const opens = (button: Locator, shown: Locator) =>
    expect(async () => {
      if (!(await shown.isVisible())) await button.press("Enter", { timeout: 1_000 });
      await expect(shown).toBeVisible({ timeout: 2_000 });
    }).toPass();
  const openFiles = () =>
    opens(
      page.getByRole("button", { name: "Files as of then" }),
      page.getByRole("dialog", { name: "Files as of then" }).getByText("as it is now"),
    );
  await checkAccessibility(page, path, openFiles);
  await checkAccessibility(page, path, async () => {
    await openFiles();
    await page
      .getByRole("button", { name: /^plan\.md/ })
      .last()
      .click();
    await expect(
      page.getByRole("dialog", { name: "plan.md" }).getByRole("heading", { name: "Plan", exact: true }),
    ).toBeVisible();
  });
  await checkAccessibility(page, path, async () => {
    await opens(
      lastReply(page).getByRole("button", { name: "Regenerate" }),
      page.getByRole("menuitem", { name: "Same again" }),
    );
  });
  await checkAccessibility(page, path, async () => {
    await opens(lastReply(page).getByRole("button", { name: "Fork" }), page.getByRole("dialog", { name: "Fork" }));
  });
});

test("A reply is answered again by another agent, and forked into a thread of its own", async ({
  page,
  installation,
}) => {
  await installation.addAgent("answering", [{ text: "One way." }, { text: "Another way." }]);
  await installation.addAgent("helping", [{ text: "My way." }]);
  await startThread(page, "answering", "Which way?");
  await whenDone(page);
  await page.getByRole("region", { name: "Transcript" }).focus();
  await page.keyboard.press("r");
  await expect(page.getByRole("menuitem", { name: "Same again" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(lastReply(page)).toContainText("Another way.");
  await whenDone(page);
  await expect(page.getByText("2 / 2")).toBeVisible();
  await lastReply(page).getByRole("button", { name: "Regenerate" }).click();
  await page.getByRole("menuitem", { name: /^helping/ }).click();
  await expect(lastReply(page)).toContainText("My way.");
  await expect(lastReply(page)).toContainText("helping v1");
  await expect(page.getByText("3 / 3")).toBeVisible();
  await page.getByRole("button", { name: "Previous version" }).click();
  await expect(lastReply(page)).toContainText("Another way.");
  const thread = page.url();
  await lastReply(page).getByRole("button", { name: "Fork" }).click();
  await page.getByRole("button", { name: "Fork to a new thread" }).click();
  await expect(page).not.toHaveURL(thread);
  await expect(lastReply(page)).toContainText("Another way.");
  await expect(page.getByRole("button", { name: "Previous version" })).toBeHidden();
  const fork = page.url();
  await page.goto(thread);
  const panel = page.getByRole("complementary", { name: "Run" });
  await openCosts(page);
  await panel.getByRole("button", { name: "Fork to a new thread" }).press("Enter");
  await expect(page).not.toHaveURL(thread);
  expect(page.url()).not.toBe(fork);
  await expect(lastReply(page)).toContainText("Another way.");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(thread);
  await lastReply(page).getByRole("button", { name: "Regenerate" }).click();
  await expect(page.getByRole("dialog", { name: "Regenerate" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Regenerate" })).toBeHidden();
});

test("A branch continues while another is shown, and is shown again as far as it has come", async ({
  page,
  installation,
}) => {
  const held = gate();
  await installation.addAgent("parallel", [
    { text: "Done already." },
    { text: "It takes a while, and now it is done.", gate: held.opened },
  ]);
  await startThread(page, "parallel", "Quick one");
  await whenDone(page);
  await editMessage(page, "Quick one", "Slow one");
  await expect(page.getByText("2 / 2")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  await page.getByRole("button", { name: "Previous version" }).click();
  await expect(lastReply(page)).toContainText("Done already.");
  await expect(page.getByText("Another version is still being answered.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeHidden();
  await page.getByRole("button", { name: "Next version" }).click();
  await expect(ownMessage(page, "Slow one")).toBeVisible();
  held.open();
  await expect(lastReply(page)).toContainText("now it is done.");
  await page.getByRole("button", { name: "Previous version" }).click();
  await expect(lastReply(page)).toContainText("Done already.");
  await expect(page.getByText("now it is done.")).toBeHidden();
});
