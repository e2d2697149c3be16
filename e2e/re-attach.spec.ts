import { gate, lastReply, send, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

const TODOS = { todos: [{ id: "1", title: "Look around", status: "in_progress" }] };

test("A reload and a second tab in the middle of a run end with the same transcript", async ({
  page,
  context,
  installation,
}) => {
  const rest = gate();
  await installation.addAgent("two-tabs", [
    { reasoning: "First the plan.", text: "I begin. ", calls: [{ name: "write_todos", args: TODOS }] },
    { text: "Here is **the answer** in several words, with a list:\n\n- one\n- two\n", gate: rest.opened },
  ]);
  await startThread(page, "two-tabs", "Begin");
  await expect(lastReply(page).getByRole("button", { name: /^write_todos/ })).toBeVisible();

  await page.reload();
  const other = await context.newPage();
  await other.goto(page.url());
  for (const tab of [page, other]) {
    await expect(lastReply(tab)).toHaveAttribute("aria-busy", "true");
    await expect(lastReply(tab).getByText("I begin.")).toBeVisible();
  }
  rest.open();
  await Promise.all([whenDone(page), whenDone(other)]);
  const live = await lastReply(page).innerText();
  expect(live).toContain("the answer");
  expect(await lastReply(other).innerText()).toBe(live);

  await page.reload();
  await whenDone(page);
  await expect(async () => expect(await lastReply(page).innerText()).toBe(live)).toPass();
});

test("Stop ends the run, keeps what was written, and the thread still works", async ({ page, installation }) => {
  const never = gate();
  await installation.addAgent("stopped", [
    { text: "This much was written.", calls: [{ name: "write_todos", args: TODOS }] },
    { text: "never sent", gate: never.opened },
    { text: "Still here." },
  ]);
  await startThread(page, "stopped", "Work for a long time");
  await expect(lastReply(page).getByRole("button", { name: /^write_todos/ })).toBeVisible();
  await page.getByRole("button", { name: /^Stop/ }).click();
  const reply = await whenDone(page);
  await expect(reply.getByRole("heading", { name: "Stopped by you" })).toBeVisible();
  await expect(reply.getByText("This much was written.")).toBeVisible();
  never.open();

  await send(page, "Are you there?");
  await expect(page.getByText("Still here.")).toBeVisible();
  await expect(page.getByText("This much was written.")).toBeVisible();
  await expect(page.getByText("never sent")).toBeHidden();
});

test("A message sent during a run waits as the next one and runs afterwards", async ({ page, installation }) => {
  const first = gate();
  await installation.addAgent("queue", [
    { text: "The first answer.", gate: first.opened },
    { text: "The second answer." },
  ]);
  await startThread(page, "queue", "First question");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  await send(page, "Second question");
  await send(page, "Third question");
  const queue = page.getByRole("list", { name: "Queued messages" });
  await expect(queue.getByRole("listitem").first()).toContainText(/Next 1\s*Second question/);
  const third = queue.getByRole("listitem").filter({ hasText: "Third question" });
  await third.getByRole("button", { name: "Remove queued message" }).click();
  await expect(third).toBeHidden();

  await send(page, "Forth question");
  await queue
    .getByRole("listitem")
    .filter({ hasText: "Forth" })
    .getByRole("button", { name: "Edit queued message" })
    .click();
  const field = page.getByRole("textbox", { name: "Edit queued message" });
  await field.fill("Fourth question");
  await field.press("Enter");
  // The field holds the new words, too: only once it is closed has the server stored them.
  await expect(field).toBeHidden();
  await expect(queue.getByRole("listitem").last()).toContainText("Fourth question");

  first.open();
  await expect(page.getByText("The second answer.").first()).toBeVisible();
  await expect(queue).toBeHidden();
  await whenDone(page);
  await expect(page.getByRole("article", { name: "Your message" })).toHaveText([
    /First question/,
    /Second question/,
    /Fourth question/,
  ]);
});
