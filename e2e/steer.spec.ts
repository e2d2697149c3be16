import { composer, gate, lastReply, send, startThread, whenAlive, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const TODOS = { todos: [{ id: "1", title: "Look around", status: "in_progress" }] };

test("A queue of three is moved, edited and thinned out, survives a reload, and a steer is read before it", async ({
  page,
  context,
  installation,
}) => {
  test.slow();
  const first = gate();
  await installation.addAgent("steered", [
    { text: "I look around. ", gate: first.opened, calls: [{ name: "write_todos", args: TODOS }] },
    { text: "With node 22, then." },
    { text: "The pull request is open." },
    { text: "The changelog is written." },
  ]);
  await startThread(page, "steered", "Fix the build");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  for (const text of ["Write the changelog", "Open a pull", "Tell everybody"]) await send(page, text);
  const queue = page.getByRole("list", { name: "Queued messages" });
  const row = (text: string) => queue.getByRole("listitem").filter({ hasText: text });
  await expect(row("Tell everybody")).toContainText("Next 3");

  // Another tab shows the same queue, and each change at once.
  const other = await context.newPage();
  await other.goto(page.url());
  const there = other.getByRole("list", { name: "Queued messages" }).getByRole("listitem");
  await expect(there).toHaveCount(3);

  // A message that is still on its way stays where it is.
  for (const text of ["Open a pull", "Tell everybody"]) {
    await expect(row(text).getByRole("button", { name: /^Move/ })).toBeEnabled();
  }
  await row("Open a pull").getByRole("button", { name: /^Move/ }).press("Alt+ArrowUp");
  await expect(row("Open a pull")).toContainText("Next 1");
  await expect(row("Open a pull").getByRole("button", { name: /^Move/ })).toBeFocused();
  await row("Open a pull").getByRole("button", { name: "Edit queued message" }).click();
  const field = page.getByRole("textbox", { name: "Edit queued message" });
  await field.fill("Open a pull request");
  await field.press("Enter");
  await expect(row("Open a pull request")).toContainText("Next 1");
  await row("Tell everybody").getByRole("button", { name: "Remove queued message" }).click();
  await expect(row("Tell everybody")).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row("Tell everybody")).toContainText("Next 3");
  await row("Tell everybody").getByRole("button", { name: "Remove queued message" }).click();
  await expect(there).toHaveText([/Next 1.*Open a pull request/, /Next 2.*Write the changelog/]);

  await composer(page).press("ControlOrMeta+Shift+S");
  await expect(page.getByText("steered reads it before its next step. What runs now is not cut off.")).toBeVisible();
  await send(page, "Use node 22");
  await expect(there).toHaveText([/Steer.*Use node 22/, /Next 1.*Open/, /Next 2.*Write/]);
  await page.reload();
  await expect(queue.getByRole("listitem")).toHaveText([/Steer.*Use node 22/, /Next 1.*Open/, /Next 2.*Write/]);
  await checkAccessibility(page, new URL(page.url()).pathname, () => expect(row("Use node 22")).toBeVisible());

  first.open();
  for (const tab of [page, other]) {
    await expect(tab.getByText("The changelog is written.")).toBeVisible();
    await expect(tab.getByRole("list", { name: "Queued messages" })).toBeHidden();
    await expect(tab.getByText(/^steered, read at step 2 after/)).toBeVisible();
  }
  await whenDone(page);
  const said = () => page.getByRole("article", { name: "Your message" }).allInnerTexts();
  const live = await said();
  const words = ["Fix the build", "Use node 22", "Open a pull request", "Write the changelog"];
  expect(live).toEqual(words.map((word) => expect.stringContaining(word)));
  await page.reload();
  await expect(page.getByText("The changelog is written.")).toBeVisible();
  expect(await said()).toEqual(live);
});

test("Stop holds the queue; a new message goes first, one is sent by hand, one is dropped and put back", async ({
  page,
  context,
  installation,
}) => {
  const hold = gate();
  await installation.addAgent("stopped-queue", [
    { text: "I look around. ", gate: hold.opened },
    { text: "Here is the new one." },
    { text: "The changelog is written." },
  ]);
  await startThread(page, "stopped-queue", "Fix the build");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  for (const text of ["Write the changelog", "Tell everybody"]) await send(page, text);
  await expect(page.getByRole("list", { name: "Queued messages" }).getByRole("listitem")).toHaveCount(2);
  const other = await context.newPage();
  await other.goto(page.url());
  await composer(page).press("Escape");
  const held = (tab = page) => tab.getByRole("region", { name: "Held messages" });
  for (const tab of [page, other]) await expect(held(tab)).toContainText("Stopped. 2 messages wait.");
  await expect(page.getByRole("list", { name: "Queued messages" })).toBeHidden();
  await page.reload();
  await expect(held().getByRole("listitem")).toHaveText([/Write the changelog/, /Tell everybody/]);
  await checkAccessibility(page, new URL(page.url()).pathname, () => expect(held()).toBeVisible());
  await send(page, "Something else");
  await expect(lastReply(page).getByText("Here is the new one.")).toBeVisible();
  await held().getByRole("button", { name: "Send “Write the changelog”" }).press("Enter");
  await expect(lastReply(page).getByText("The changelog is written.")).toBeVisible();
  for (const tab of [page, other]) await expect(held(tab)).toContainText("Stopped. 1 message waits.");
  await held().getByRole("button", { name: "Drop “Tell everybody”" }).click();
  await expect(held()).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(composer(page)).toHaveValue("Tell everybody");
  hold.open();
});

test("A steer is held while a request waits, and declines nothing", async ({ page, installation }) => {
  await installation.addAgent(
    "held",
    [{ text: "May I? ", calls: [{ name: "write_todos", args: TODOS }] }, { text: "Done, in short." }],
    { permissions: { enabled: true, ask: ["write_todos"] } },
  );
  await startThread(page, "held", "Plan it");
  await expect(page.getByRole("button", { name: /^Allow once/ })).toBeVisible();
  await page.getByRole("radio", { name: "Steer" }).check({ force: true });
  await send(page, "Keep it short");
  await expect(page.getByRole("list", { name: "Queued messages" })).toContainText("Keep it short");
  await page.getByRole("button", { name: /^Allow once/ }).click();
  await expect(lastReply(page).getByText("Done, in short.")).toBeVisible();
  await expect(lastReply(page).getByText(/^steered, read at step 2 after/)).toBeVisible();
});

test("A steered message stays visible after a reload while the script that draws it is still loading", async ({
  page,
  installation,
}) => {
  const [hold, scripts] = [gate(), gate()];
  await installation.addAgent("reload-steered", [
    { text: "I look around. ", gate: hold.opened, calls: [{ name: "write_todos", args: TODOS }] },
    { text: "With node 22, then." },
  ]);
  await startThread(page, "reload-steered", "Fix the build");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  await page.getByRole("radio", { name: "Steer" }).check({ force: true });
  await send(page, "Use node 22");
  hold.open();
  const steer = page.getByRole("article", { name: "Your message" }).filter({ hasText: /read at step 2 after/ });
  await expect(steer).toContainText("Use node 22");
  await whenDone(page);
  await page.route("**/*.js", async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    if (body.includes("read at step")) await scripts.opened;
    await route.fulfill({ response, body });
  });
  const asks = page.waitForResponse(/\/api\/approvals\?threadId=/);
  await page.reload({ waitUntil: "domcontentloaded" });
  await asks;
  await whenAlive(page);
  await expect(steer).toContainText("Use node 22");
  scripts.open();
  await expect(steer.getByRole("button", { name: "Copy message" })).toBeAttached();
  await expect(steer).toContainText("Use node 22");
  // A script that is fetched late would be read after the page has closed.
  await page.unrouteAll({ behavior: "wait" });
});
