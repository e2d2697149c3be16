import { expect, type Locator, type Page } from "@playwright/test";

export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

/** The newest reply of the thread. */
export function lastReply(page: Page): Locator {
  return page.getByRole("article", { name: "Reply" }).last();
}

/** Types on the page that is open; a page that has just loaded takes text only once it is alive. */
async function write(page: Page, text: string): Promise<void> {
  const button = page.getByRole("button", { name: /^(Send|Queue|Steer) message$/ });
  await expect(async () => {
    await composer(page).fill(text);
    await expect(button).toBeEnabled({ timeout: 1_000 });
  }).toPass();
}

/** Waits until the page that is open listens to keys and presses. */
export async function whenAlive(page: Page): Promise<void> {
  await write(page, "Alive?");
  await composer(page).fill("");
}

/** Types and sends on the page that is open. */
export async function send(page: Page, text: string): Promise<void> {
  await write(page, text);
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("");
}

/** Presses the keys until `shown` is there: a page that was just opened may not listen yet. */
export async function pressUntil(page: Page, keys: string, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(keys);
    await expect(shown).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Starts a thread with an agent; the page then shows the thread. */
export async function startThread(page: Page, agentId: string, text: string): Promise<void> {
  await page.goto(`/?agent=${agentId}`);
  await send(page, text);
  await page.waitForURL(/\/threads\/th_/);
}

/** Waits until the last reply is whole. */
export async function whenDone(page: Page): Promise<Locator> {
  const reply = lastReply(page);
  await expect(reply).toHaveAttribute("aria-busy", "false");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeHidden();
  return reply;
}

/** Sends the rest of a conversation while the page is elsewhere, which is quicker than to draw it, and comes back. */
export async function talkUnseen(page: Page, texts: readonly string[]): Promise<void> {
  const { href, origin, pathname } = new URL(page.url());
  const thread = `${origin}/api${pathname}`;
  await page.goto("about:blank");
  for (const content of texts) {
    const reply = await page.request.post(`${thread}/messages`, { data: { content }, headers: { origin } });
    expect(reply.ok(), await reply.text()).toBe(true);
  }
  await expect.poll(async () => (await (await page.request.get(thread)).json()).activeRunId).toBeNull();
  await page.goto(href);
}

/** The row of a thread in the list at the left. */
export function threadRow(page: Page, title: string | RegExp): Locator {
  return page
    .getByRole("navigation", { name: "Threads" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: title }) });
}

/** A promise that the test opens: what a scripted reply waits for. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Opens the line of window and cost in the side panel; the browser remembers it. */
export async function openCosts(page: Page): Promise<void> {
  const line = page.getByRole("region", { name: "Context" }).getByRole("button").first();
  await expect(async () => {
    if ((await line.getAttribute("aria-expanded")) !== "true") await line.press("Enter");
    await expect(line).toHaveAttribute("aria-expanded", "true", { timeout: 2_000 });
  }).toPass();
}
