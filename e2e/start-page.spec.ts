import { composer, startThread, threadRow, whenAlive, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test("Nothing on the start page moves while its choices load, nor when another agent is chosen", async ({
  page,
  installation,
}) => {
  await installation.addAgent("plain", [{ text: "Hello." }], { tools: [] });
  const parts = [
    composer(page),
    page.getByRole("heading", { name: "What can I help with?" }),
    page.getByRole("button", { name: "Attach files" }),
  ];
  const places = () => Promise.all(parts.map((part) => part.boundingBox()));
  await page.route(/\/(agents|api\/providers)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.goto("/?agent=default", { waitUntil: "commit" });
  await expect(parts[1] ?? composer(page)).toBeVisible();
  const first = await places();
  await expect(composer(page)).toBeFocused();
  expect(await places()).toEqual(first);
  await page.getByRole("button", { name: /Agent/ }).click();
  await page.getByRole("option", { name: "plain" }).click();
  await expect(page.getByText(/small rule-based model answers/)).toBeHidden();
  expect(await places()).toEqual(first);
});

test("The menu of commands lies over the start page and moves nothing", async ({ page }) => {
  await page.goto("/");
  const field = composer(page);
  await expect(field).toBeFocused();
  const before = await field.boundingBox();
  await page.keyboard.type("/");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await field.boundingBox()).toEqual(before);
});

for (const text of ["Plan a trip to the fjords", "/daily notes"]) {
  test(`What is typed while the page opens arrives once and whole: ${text}`, async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route(/\.js(\?|$)/, async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    await composer(page).click();
    const half = Math.floor(text.length / 2);
    await page.keyboard.type(text.slice(0, half));
    scripts.resolve();
    // One key after the other while the page comes alive.
    for (const key of text.slice(half)) await page.keyboard.type(key, { delay: 15 });
    await expect(composer(page)).toHaveValue(text);
    await expect(page.getByRole("button", { name: "Send message" })).toBeEnabled();
    await expect(composer(page)).toHaveValue(text);
  });
}

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("nothing moves by itself while the start page and a thread open and an answer comes", async ({
    page,
    installation,
  }) => {
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      const seen = new PerformanceObserver((list) => {
        for (const shift of list.getEntries() as (PerformanceEntry & {
          hadRecentInput: boolean;
          sources: { node: Node | null }[];
        })[]) {
          if (!shift.hadRecentInput) moved.push(...shift.sources.map(({ node }) => node?.textContent ?? ""));
        }
      });
      seen.observe({ type: "layout-shift", buffered: true });
    });
    const moved = () => page.evaluate(() => (window as unknown as { moved: string[] }).moved);
    await installation.addAgent("still", [{ text: "It stands still. ".repeat(60) }, { text: "Still." }]);
    await page.goto("/");
    await whenAlive(page);
    await expect(page.getByRole("button", { name: "Dictate" })).toBeVisible();
    expect(await moved()).toEqual([]);
    await startThread(page, "still", "Stand still");
    await whenDone(page);
    expect(await moved()).toEqual([]);
    await page.reload();
    await whenAlive(page);
    await expect(page.getByRole("button", { name: "Dictate" })).toBeVisible();
    expect(await moved()).toEqual([]);
  });
});

test.describe("Without the requests for its lists", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("the chat opens with its threads, because they come with the page", async ({ page, installation }) => {
    await installation.addAgent("listed", [{ text: "Hello." }]);
    await startThread(page, "listed", "Here at once");
    await whenDone(page);
    await page.route(/\/api\/(threads|approvals|projects)(\?|$)/, (route) => route.abort());
    await page.goto("/");
    await expect(threadRow(page, "Here at once")).toBeVisible();
  });
});
