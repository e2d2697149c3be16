import type { Page } from "@playwright/test";
import { composer, gate, lastReply, send, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const messages = (page: Page) => page.getByRole("article", { name: "Your message" });

/** Counts the event streams that the page has open; call it before the page is opened. */
async function watchStreams(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const open: string[] = [];
    Object.assign(window, { openStreams: open });
    const { fetch } = window;
    window.fetch = async (target, init) => {
      const reply = await fetch(target, init);
      if (!reply.headers.get("content-type")?.startsWith("text/event-stream")) return reply;
      const name = new URL(String(target), location.href).pathname;
      open.push(name);
      init?.signal?.addEventListener("abort", () => open.splice(open.indexOf(name), 1));
      return reply;
    };
  });
  return () => page.evaluate(() => (window as unknown as { openStreams: string[] }).openStreams);
}

/** What a browser tells a tab that is not looked at, and one that is again. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

test("The stream of a thread in which nothing happens answers at once", async ({ page, installation }) => {
  await installation.addAgent("idle", [{ text: "That was all." }]);
  await startThread(page, "idle", "One");
  await whenDone(page);
  const path = `/api${new URL(page.url()).pathname}/stream`;
  const status = await page.evaluate(async (url) => {
    const left = new AbortController();
    // The first keep-alive would bring the headers after 15 s.
    const isLate = setTimeout(() => left.abort(), 10_000);
    const reply = await fetch(url, { signal: left.signal });
    clearTimeout(isLate);
    left.abort();
    return reply.status;
  }, path);
  expect(status).toBe(200);
});

test("A second tab follows every run that the first one starts, and reads the feed only once the first is hidden", async ({
  page,
  context,
  installation,
}) => {
  const third = gate();
  await installation.addAgent("followed", [
    { text: "The first answer." },
    { text: "The second answer." },
    { text: "The third answer.", gate: third.opened },
  ]);
  await startThread(page, "followed", "One");
  await whenDone(page);
  const other = await context.newPage();
  const streams = await watchStreams(other);
  await other.goto(page.url());
  await expect(other.getByText("The first answer.")).toBeVisible();

  await send(page, "Two");
  await expect(other.getByText("The second answer.")).toBeVisible();
  await expect(messages(other)).toHaveText([/One/, /Two/]);
  await send(page, "Three");
  await expect(other.getByRole("button", { name: /^Stop/ })).toBeVisible();
  third.open();
  await expect(await whenDone(other)).toContainText("The third answer.");
  await expect(messages(other)).toHaveText([/One/, /Two/, /Three/]);
  const path = `/api${new URL(other.url()).pathname}/stream`;
  expect(await streams()).toEqual([path]);
  await setHidden(page, true);
  await expect.poll(async () => (await streams()).toSorted()).toEqual(["/api/events", path]);
});

test("A hidden tab closes its streams and has missed nothing when it is shown again", async ({
  page,
  context,
  installation,
}) => {
  const rest = gate();
  await installation.addAgent("hidden", [
    { text: "Before it was hidden. ", calls: [{ name: "write_todos", args: { todos: [] } }] },
    { text: "While it was hidden.", gate: rest.opened },
    { text: "The next answer." },
  ]);
  await startThread(page, "hidden", "Begin");
  const other = await context.newPage();
  const streams = await watchStreams(other);
  await other.goto(page.url());
  await expect(other.getByText("Before it was hidden.")).toBeVisible();
  await setHidden(other, true);
  await expect.poll(streams).toEqual([]);
  rest.open();
  await whenDone(page);
  await send(page, "And then?");
  await expect(page.getByText("The next answer.")).toBeVisible();
  await expect(other.getByText("While it was hidden.")).toBeHidden();

  await setHidden(other, false);
  await expect(other.getByText("The next answer.")).toBeVisible();
  await expect(other.getByText("While it was hidden.")).toHaveCount(1);
  await expect(messages(other)).toHaveText([/Begin/, /And then\?/]);
  await expect.poll(streams).toEqual([`/api${new URL(other.url()).pathname}/stream`]);
});

test("A thread that was seen a moment ago is there without its page being asked for again", async ({
  page,
  installation,
}) => {
  await installation.addAgent("twice", [{ text: "The first answer." }, { text: "The second answer." }]);
  await startThread(page, "twice", "One");
  await whenDone(page);
  const first = new URL(page.url()).pathname;
  await startThread(page, "twice", "Two");
  await whenDone(page);
  const link = page.getByRole("complementary", { name: "Threads" }).locator(`a[href="${first}"]`);
  await link.click();
  await expect(page.getByText("The first answer.")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("The second answer.")).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => {
    const headers = request.headers();
    if (headers.rsc === "1" && headers["next-router-prefetch"] === undefined)
      asked.push(new URL(request.url()).pathname);
  });
  await link.click();
  await expect(page.getByText("The first answer.")).toBeVisible();
  expect(asked).toEqual([]);
});

test("A message is on the page before the server has it", async ({ page, installation }) => {
  await installation.addAgent("instant", [{ text: "Ready." }, { text: "Answered." }]);
  await startThread(page, "instant", "Begin");
  await whenDone(page);
  const accepted = gate();
  await page.route("**/messages", async (route) => {
    await accepted.opened;
    await route.continue();
  });
  await send(page, "At once");
  await expect(messages(page).last()).toContainText("At once", { timeout: 500 });
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  accepted.open();
  await expect(await whenDone(page)).toContainText("Answered.");
  await expect(messages(page)).toHaveCount(2);
});

test.describe("A message that is not sent", () => {
  test.use({ expectedErrors: [/ERR_FAILED|ERR_INTERNET/] });

  test("stays on the page, over a reload too, and Retry sends it once", async ({ page, installation }) => {
    await installation.addAgent("unsent", [{ text: "Ready." }, { text: "Here it is." }, { text: "Sent twice!" }]);
    await startThread(page, "unsent", "Begin");
    await whenDone(page);
    // It arrives, but the page never hears of that.
    await page.route("**/messages", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send(page, "Important words");
    const alert = page.getByRole("alert").filter({ hasText: "Not sent." });
    await expect(alert).toContainText("The server does not answer.");
    await page.unroute("**/messages");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await alert.getByRole("button", { name: "Retry" }).click();
    await expect(alert).toBeHidden();
    await expect(await whenDone(page)).toContainText("Here it is.");
    await expect(messages(page)).toHaveText([/Begin/, /Important words/]);
    await expect(page.getByText("Sent twice!")).toBeHidden();
  });

  test("can be put back into the field", async ({ page, installation }) => {
    await installation.addAgent("put-back", [{ text: "Ready." }, { text: "Better." }]);
    await startThread(page, "put-back", "Begin");
    await whenDone(page);
    await page.route("**/messages", (route) => route.abort());
    await send(page, "Almost right");
    const alert = page.getByRole("alert").filter({ hasText: "Not sent." });
    await composer(page).fill("and more");
    await alert.getByRole("button", { name: "Edit" }).click();
    await expect(composer(page)).toHaveValue("Almost right\n\nand more");
    await expect(alert).toBeHidden();
    await page.unroute("**/messages");
    await composer(page).press("Enter");
    await expect(page.getByText("Better.")).toBeVisible();
    await expect(lastReply(page)).toContainText("Better.");
  });
});
