import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./support/journey";

/** Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 80; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${target}`);
}

test("A person is invited and a budget is made and deleted with the keyboard alone", async ({ page }) => {
  await test.step("an invitation, its link and its end", async () => {
    await page.goto("/admin/people");
    await tabTo(page, page.getByRole("button", { name: "Invite", exact: true }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await tabTo(page, dialog.getByRole("textbox", { name: "Email" }));
    await page.keyboard.type("by-keyboard@example.test");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByText(/join#token=/)).toBeVisible();
    await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Done" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.goto("/admin/people?tab=invitations");
    const row = page.getByRole("row", { name: /by-keyboard@example\.test/ });
    await tabTo(page, row.getByRole("button", { name: /^Revoke the invitation/ }));
    await page.keyboard.press("Enter");
    await expect(row).toBeHidden();
  });

  await test.step("a budget of the installation", async () => {
    await page.goto("/admin/usage");
    await tabTo(page, page.getByRole("button", { name: "Add budget" }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add budget" });
    await tabTo(page, dialog.getByRole("button", { name: /Limits/ }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("option", { name: /Installation/ })).toBeVisible();
    await page.keyboard.type("Inst");
    await page.keyboard.press("Enter");
    await tabTo(page, dialog.getByRole("textbox", { name: "US dollars" }));
    await page.keyboard.type("1234");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    const budget = page.getByRole("listitem").filter({ hasText: "of $1,234" });
    await tabTo(page, budget.getByRole("button", { name: /^Delete the budget/ }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Delete budget", exact: true }));
    await page.keyboard.press("Enter");
    await expect(budget).toBeHidden();
  });
});
