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
  await page.keyboard.type("no y");
  await expect(card.getByRole("button", { name: "Deny" })).toContainText("Alt n");
  await page.keyboard.press("Alt+n");
  await card.getByRole("textbox").fill("Not today");
  await card.getByRole("button", { name: "Deny" }).click();
  const reply = await whenDone(page);
  await expect(reply.getByText(/Not today/).first()).toBeVisible();
});

test("A question is answered in place, and what is waiting is listed in the inbox", async ({ page }) => {
  await startThread(page, "default", "Ask me which colour: red, green or blue");
  await expect(page.getByRole("radio", { name: "green" })).toBeVisible();
  await page.goto("/inbox");
  await page
    .getByRole("list", { name: "Waiting for you" })
    .getByRole("button", { name: /Ask me which colour/ })
    .click();
  await page.getByRole("link", { name: "Open thread" }).click();
  // The inbox has an answer of that name as well.
  await page.waitForURL(/\/threads\/th_/);
  await page.getByText("green", { exact: true }).click();
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(await whenDone(page)).toContainText("green");
});

test("A new message declines what is waiting, and the thread continues", async ({ page }) => {
  await startThread(page, "default", "run echo forgotten");
  await expect(page.getByRole("region", { name: "Approval: execute" })).toBeVisible();
  await send(page, "calculate 6 * 7");
  await expect(lastReply(page)).toContainText("42");
  await expect(page.getByText(/Denied by a new message/)).toBeVisible();
});

test("What is waiting is decided in the inbox with a key, and the thread says so", async ({ page }) => {
  await startThread(page, "default", "run echo from-the-inbox");
  await expect(page.getByRole("region", { name: "Approval: execute" })).toBeVisible();
  const thread = page.url();
  await page.goto("/inbox");
  const row = page
    .getByRole("list", { name: "Waiting for you" })
    .getByRole("button", { name: /execute · echo from-the-inbox/ });
  await row.click();
  const open = page.getByRole("region", { name: "Open item" });
  await expect(open.getByRole("region", { name: "Approval: execute" })).toContainText("echo from-the-inbox");
  await expect(open).toContainText("Started byyour message");
  await page.keyboard.press("y");
  await expect(row).toBeHidden();
  await page.goto(thread);
  await expect(await whenDone(page)).toContainText("in the inbox");
});

test("A call that is allowed for the thread is listed, and asks again once it is revoked", async ({ page }) => {
  await startThread(page, "default", "run echo allowed-for-good");
  const card = page.getByRole("region", { name: "Approval: execute" });
  await card.getByRole("button", { name: "Allow this exact call" }).click();
  await whenDone(page);
  const thread = page.url();
  await page.goto("/inbox/grants");
  await page.getByRole("button", { name: "Revoke execute echo allowed-for-good" }).click();
  await expect(page.getByRole("button", { name: "Revoke execute echo allowed-for-good" })).toBeHidden();
  await page.goto(thread);
  await send(page, "run echo allowed-for-good");
  await card.getByRole("button", { name: "Allow once" }).click();
  await expect(card).toBeHidden();
  await whenDone(page);
});

test("An administrator finds and revokes a call that a member has allowed", async ({ page, openAs, installation }) => {
  const member = await openAs(await installation.addPerson("member", "Gwen Granting"));
  await startThread(member, "default", "run echo granted-by-gwen");
  await member
    .getByRole("region", { name: "Approval: execute" })
    .getByRole("button", { name: "Allow this exact call" })
    .click();
  await whenDone(member);
  await page.goto("/inbox/grants");
  await expect(page.getByRole("list", { name: "Allowed calls" }).or(page.getByText("No allowed calls"))).toBeVisible();
  await expect(page.getByText("granted-by-gwen")).toBeHidden();

  await page.goto("/admin/tools?tab=grants");
  const revoke = page.getByRole("button", { name: "Revoke execute echo granted-by-gwen" });
  await expect(page.getByText("in a thread of Gwen Granting")).toBeVisible();
  await page.getByRole("button", { name: /Allowed by/ }).click();
  await page.getByRole("option", { name: /Gwen Granting/ }).click();
  await expect(page).toHaveURL(/owner=/);
  await expect(page.getByRole("list", { name: "Allowed calls" }).getByRole("listitem")).toHaveCount(1);
  await revoke.click();
  await expect(page.getByText("No allowed calls")).toBeVisible();
});

test("What is decided in another tab stays open in the inbox and says by whom, until the person goes on", async ({
  openAs,
  installation,
}) => {
  const page = await openAs(await installation.addPerson("member", "Ina Inbox"));
  const thread = await page.context().newPage();
  await thread.goto("/");
  await startThread(thread, "default", "run echo decided-elsewhere");
  await expect(thread.getByRole("region", { name: "Approval: execute" })).toBeVisible();
  await page.goto("/inbox");
  const open = page.getByRole("region", { name: "Open item" });
  await expect(open.getByRole("button", { name: "Allow once" })).toBeVisible();
  await thread.getByRole("button", { name: "Allow once" }).click();
  const card = open.getByRole("region", { name: "No longer waits: Run this command?" });
  await expect(card).toContainText("Allowed once by Ina Inbox, in the thread");
  await expect(card.getByRole("button")).toHaveCount(0);
  await whenDone(thread);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Nothing is waiting for you" })).toBeVisible();
});
