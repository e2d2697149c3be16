import { lastReply, send, startThread, threadRow, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test("A command waits for a person, outlives a reload, and runs once it is allowed", async ({ page }) => {
  await startThread(page, "default", "run echo allowed-by-a-person");
  const card = page.getByRole("region", { name: "Approval: execute" });
  await expect(card.getByText("echo allowed-by-a-person")).toBeVisible();
  await expect(threadRow(page, /run echo allowed/)).toContainText("execute");

  await page.reload();
  await card.getByRole("button", { name: /^Allow once/ }).click();
  const reply = await whenDone(page);
  await expect(reply.getByText("allowed-by-a-person").last()).toBeVisible();
  await expect(card).toBeHidden();
});

test("A denied command is not run, and the reason reaches the model", async ({ page }) => {
  await startThread(page, "default", "run touch never.txt");
  const card = page.getByRole("region", { name: "Approval: execute" });
  await expect(card).toBeVisible();
  await page.keyboard.press("n");
  await card.getByRole("textbox").fill("Not today");
  await card.getByRole("button", { name: "Deny" }).click();
  const reply = await whenDone(page);
  await expect(reply.getByText(/Not today/).first()).toBeVisible();
});

test("A question is answered in place, and what waits stands in the inbox", async ({ page }) => {
  await startThread(page, "default", "Ask me which colour: red, green or blue");
  await expect(page.getByRole("radio", { name: "green" })).toBeVisible();
  await page.goto("/inbox");
  await page
    .getByRole("link", { name: /Ask me which colour/ })
    .first()
    .click();
  await page.getByText("green", { exact: true }).click();
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(await whenDone(page)).toContainText("green");
});

test("A new message declines what waits, and the thread goes on", async ({ page }) => {
  await startThread(page, "default", "run echo forgotten");
  await expect(page.getByRole("region", { name: "Approval: execute" })).toBeVisible();
  await send(page, "calculate 6 * 7");
  await expect(lastReply(page)).toContainText("42");
  await expect(page.getByText(/Declined by a new message/)).toBeVisible();
});
