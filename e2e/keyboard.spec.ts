import { composer, gate, lastReply, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test("The palette finds pages, agents and threads", async ({ page, installation }) => {
  await installation.addAgent("palette-agent", [{ text: "Found." }]);
  await startThread(page, "palette-agent", "Hidden lagoon");
  await expect(composer(page)).toBeFocused();
  await whenDone(page);
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  const run = async (words: string, option: string) => {
    await page.keyboard.press("ControlOrMeta+k");
    await palette.getByPlaceholder("Search pages, agents, threads and actions").fill(words);
    await expect(palette.getByRole("option", { name: option }).first()).toHaveAttribute("data-selected", "true");
    await page.keyboard.press("Enter");
    await expect(palette).toBeHidden();
  };
  await run("traces", "Traces");
  await expect(page).toHaveURL(/\/traces$/);
  await page.goto("/");
  const picker = page.getByRole("button", { name: / Agent$/ });
  await picker.click();
  await page.getByRole("option", { name: /^Researcher/ }).click();
  await expect(page).toHaveURL(/agent=researcher/);
  await run("palette-agent", "palette-agent");
  await expect(page).toHaveURL(/agent=palette-agent/);
  await expect(picker).toContainText("palette-agent");
  await run("lagoon", "Hidden lagoon");
  await expect(page).toHaveURL(/\/threads\/th_/);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
});

test("Keys of the page: ? lists them, / searches, Esc stops", async ({ page, installation }) => {
  const never = gate();
  await installation.addAgent("keys", [{ text: "unsent", gate: never.opened }]);
  await startThread(page, "keys", "Wait");
  await expect(lastReply(page)).toHaveAttribute("aria-busy", "true");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys.getByText("Stop the run")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();

  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search threads" })).toBeFocused();
  await composer(page).press("Escape");
  await expect(page.getByRole("heading", { name: "Stopped by you" })).toBeVisible();
  never.open();
});

test("Tab goes through the page from the navigation to the composer", async ({ page }) => {
  await page.goto("/");
  await expect(composer(page)).toBeFocused();
  const order: string[] = [];
  // From the composer through the rest of it to the page's beginning; the list has the threads of whatever ran before.
  for (let presses = 0; presses < 500 && order.at(-1) !== "composer"; presses += 1) {
    await page.keyboard.press("Tab");
    order.push(await page.evaluate(placeOfFocus));
  }
  const round = order.slice(order.indexOf("rail"));
  const places = round.filter((place, index) => place !== round[index - 1]);
  expect(places).toEqual(["rail", "threads", "page", "composer"]);
});

test("The first key leads past the navigation and the threads", async ({ page }) => {
  await page.goto("/traces");
  await expect(page.getByRole("searchbox", { name: "Search traces" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Skip to the page" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(placeOfFocus)).toBe("page");
});

test("Whoever opens a page can type at once, and c leads to the composer from anywhere", async ({
  page,
  installation,
}) => {
  await installation.addAgent("typist", [{ text: "One." }, { text: "Two." }]);
  await page.goto("/?agent=typist");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("First");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page).toHaveURL(/\/threads\/th_/);
  await whenDone(page);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("Second");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(composer(page)).toBeFocused();
  await page.reload();
  await expect(composer(page)).toBeFocused();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("c");
  await expect(composer(page)).toBeFocused();
  await page.getByRole("link", { name: "New thread" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(composer(page)).toBeFocused();
  await page.getByRole("link", { name: "New thread" }).click();
  await expect(composer(page)).toBeFocused();
  await page.goto("/traces");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/$/);
  await expect(composer(page)).toBeFocused();
});

/** Runs in the browser. */
function placeOfFocus(): string {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement) return "composer";
  if (focused?.closest("nav[aria-label=Main]")) return "rail";
  return focused?.closest("main") ? "page" : "threads";
}
