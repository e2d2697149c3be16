import { openCosts, startThread, threadRow, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const SMALL = { max_tokens: 50, budget: { run_tokens: 40 } };

test("A run that reaches its budget waits, outlives a reload, and goes on once something is added", async ({
  page,
  installation,
}) => {
  await installation.addAgent("spends", [{ text: "Worth every token." }], SMALL);
  await startThread(page, "spends", "Spend a little");
  const card = page.getByRole("region", { name: /^Budget: This run has reached its budget of 40 tokens/ });
  await expect(card).toContainText("which does not fit");
  await expect(threadRow(page, /Spend a little/)).toContainText("budget of 40 tokens reached");
  await openCosts(page);
  const limits = page.getByRole("complementary", { name: "Run" }).getByRole("listitem").filter({ hasText: "this run" });
  await expect(limits).toContainText("0 of 40 tokens");
  await page.reload();
  await expect(card.getByRole("button", { name: /^Add 10,000 tokens/ })).toBeVisible();
  await page.keyboard.press("Alt+y");
  await expect(page.getByText(/Added 10,000 tokens to the budget/)).toBeVisible();
  await expect(card).toBeHidden();
  await expect(await whenDone(page)).toContainText("Worth every token.");
});

test("A run that is stopped at its budget says so", async ({ page, installation }) => {
  await installation.addAgent("stopped-at-budget", [{ text: "Never said." }], SMALL);
  await startThread(page, "stopped-at-budget", "Spend nothing");
  await expect(page.getByRole("region", { name: /^Budget:/ })).toBeVisible();
  await page.keyboard.press("Alt+n");
  await expect(page.getByText(/Stopped at the budget of 40 tokens for a run/)).toBeVisible();
});

test("Four subagents reach their share at once: they wait, and one yes lets all of them finish", async ({
  page,
  installation,
}) => {
  const work = [1, 2, 3, 4].map((number) => ({
    name: "task",
    args: { agent: "one-of-four", description: `Part ${number}`, prompt: `Do part ${number}` },
  }));
  const usage = { input: 400, output: 50 };
  await installation.addAgent("one-of-four", [{ text: "My part is done.", usage }], { max_tokens: 50 });
  await installation.addAgent("mother-of-four", [{ calls: work }, { text: "All four are done." }], {
    max_tokens: 50,
    subagents: ["one-of-four"],
    budget: { run_tokens: 100_000, children_share: 0.015 },
  });
  await startThread(page, "mother-of-four", "Do it in four parts");
  const asks = page.getByRole("region", { name: /^Budget: The subagents have reached their share of 1,500 tokens/ });
  await expect(asks.first()).toBeVisible();
  const { approvals } = await (await page.request.get("/api/approvals")).json();
  const waiting = approvals.filter(({ reason }: { reason: string | null }) => reason?.includes("share of 1,500"));
  expect(waiting.length).toBeGreaterThan(0);
  for (const { budget } of waiting) expect(budget.spentTokens + budget.reservedTokens).toBeLessThanOrEqual(1_500);
  await asks.first().getByRole("button", { name: /^Add/ }).first().click();
  await expect(asks).toHaveCount(0);
  await expect(await whenDone(page)).toContainText("All four are done.");
});

test("A person's budget: they see who can raise it, and an administrator does so in the inbox", async ({
  page,
  installation,
  openAs,
}) => {
  await installation.addAgent("for-ana", [{ text: "Thank you, Ada." }], { max_tokens: 50 });
  const ana = await installation.addPerson("member", "Ana Lima");

  await page.goto("/admin/usage");
  await page.getByRole("button", { name: "Add budget" }).click();
  const dialog = page.getByRole("dialog", { name: "Add budget" });
  await dialog
    .getByRole("button", { name: /Person/ })
    .last()
    .click();
  await page.getByRole("option", { name: /Ana Lima/ }).click();
  await dialog.getByRole("textbox", { name: "Tokens" }).fill("many");
  await dialog.getByRole("button", { name: "Add budget" }).click();
  await expect(dialog.getByText("Write a whole number.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Tokens" }).fill("40");
  await dialog.getByRole("button", { name: "Add budget" }).click();
  const budget = page.getByRole("listitem").filter({ hasText: "Ana Lima" });
  await expect(budget).toContainText("0 of 40 tokens");

  const hers = await openAs(ana);
  await startThread(hers, "for-ana", "May I?");
  const card = hers.getByRole("region", { name: /^Budget: The budget of 40 tokens a day for Ana Lima/ });
  await expect(card).toContainText(/Ada Admin.* asked to raise it/);
  await expect(card.getByRole("button", { name: /^Add/ })).toBeHidden();

  await page.reload();
  await expect(budget).toContainText("1 run waits");
  await page.goto("/inbox");
  const needed = page.getByRole("list", { name: "Waiting for you" });
  await needed.getByRole("button", { name: /budget of 40 tokens reached.*May I\?.*a thread of Ana Lima/ }).click();
  const open = page.getByRole("region", { name: "Open item" });
  await open.getByRole("button", { name: /^Add 10,000 tokens/ }).click();
  await expect(hers.getByText(/by Ada Admin, in the inbox/)).toBeVisible();
  await expect(await whenDone(hers)).toContainText("Thank you, Ada.");

  await page.goto("/admin/usage");
  await budget.getByRole("button", { name: /^Delete the budget of Ana Lima/ }).click();
  await page.getByRole("button", { name: "Delete budget", exact: true }).click();
  await expect(budget).toBeHidden();
});

test("The usage page with a budget is accessible, its bars have a table, and a bar opens the day's traces", async ({
  page,
  installation,
}) => {
  test.slow();
  await startThread(page, "default", "calculate 2 + 2");
  await whenDone(page);
  await installation.call("POST", "/api/budgets", { scope: "installation", period: "total", usd: 1_000 });
  await checkAccessibility(page, "/admin/usage", async () => {
    await expect(page.getByRole("table", { name: "Usage by agent" })).toBeVisible();
    await expect(page.getByRole("complementary", { name: "Budgets" })).toContainText("Installation");
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Show table" }).click();
  await expect(page.getByRole("table", { name: "Cost by day" })).toBeVisible();
  await page.getByRole("button", { name: "Show bars" }).click();
  await page.getByRole("region", { name: "Cost by day" }).getByRole("link").last().click();
  await page.waitForURL(/\/traces\?day=/);
  await expect(page.getByRole("row", { name: /calculate 2 \+ 2/ }).first()).toBeVisible();
});

test("On a phone a budget's button and the title of Usage are whole, and a waiting trace stays in the page", async ({
  page,
  installation,
}) => {
  await startThread(page, "default", "run echo waits-on-a-phone");
  await expect(page.getByRole("region", { name: "Approval: execute" })).toBeVisible();
  const trace = await page.getByRole("link", { name: "Open trace" }).first().getAttribute("href");
  await installation.addAgent("asks-on-a-phone", [{ text: "Never said." }], SMALL);
  await startThread(page, "asks-on-a-phone", "Spend on a phone");
  await page.setViewportSize({ width: 390, height: 844 });
  const add = page.getByRole("button", { name: /^Add 10,000 tokens/ });
  await expect(add).toBeVisible();
  expect(await add.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin/usage");
  const title = page.getByRole("heading", { level: 1, name: "Usage" });
  await expect(title).toBeVisible();
  expect(await title.evaluate((head) => head.scrollWidth - head.clientWidth)).toBe(0);

  await page.goto(trace ?? "");
  const wait = page.getByRole("treeitem").filter({ hasText: "approval" }).last();
  await wait.click();
  await expect(page.getByRole("complementary", { name: "Span" })).toBeVisible();
  expect(await page.evaluate(tooWide)).toEqual([]);
});

/** What scrolls sideways, but for the line of key figures and the tabs, which are made to. */
function tooWide(): string[] {
  return [document.documentElement, ...document.querySelectorAll<HTMLElement>("body *")].flatMap((area) => {
    const isMeant = area.closest("[aria-label='Key figures of the run'], [role=tablist]") !== null;
    const isClipped =
      ["visible", "clip"].includes(getComputedStyle(area).overflowX) && area !== document.documentElement;
    const more = area.scrollWidth - area.clientWidth;
    const isUnseen = area.classList.contains("truncate") || area.classList.contains("sr-only");
    if (isMeant || isClipped || more <= 0 || isUnseen) return [];
    return [`${area.tagName} ${area.getAttribute("aria-label") ?? area.className}: ${more} px`];
  });
}
