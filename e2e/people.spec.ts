import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of 404/] });

test("an invited person creates their own account, and the audit log tells", async ({ page, browser }) => {
  await page.goto("/admin/people");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("Email").fill("ivo@example.test");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const url = await page.getByRole("dialog", { name: "Send them this link" }).locator("code").innerText();
  await page.getByRole("button", { name: "Done" }).click();

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const theirs = await context.newPage();
  await theirs.goto(url);
  await expect(theirs.getByText("ivo@example.test")).toBeVisible();
  await theirs.getByLabel("Your name").fill("Ivo Invited");
  await theirs.getByLabel("Password").fill("correct-horse-battery");
  await theirs.getByRole("button", { name: "Create account" }).click();
  await expect(theirs.getByRole("heading", { name: "What can I help with?" })).toBeVisible();

  const again = await context.newPage();
  await again.goto(url);
  await expect(again.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await context.close();

  await page.goto("/admin/settings/audit");
  await expect(page.getByText("The chain holds.")).toBeVisible();
  await page.getByRole("button", { name: "Ivo Invited accepted an invitation" }).click();
  const entry = page.getByRole("complementary", { name: "Entry" });
  await expect(entry.getByText("email: ivo@example.test")).toBeVisible();
  await expect(entry.getByText("invitation.accepted")).toBeVisible();
});
