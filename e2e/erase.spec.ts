import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("a user's data is downloaded, and then erased after the address was typed", async ({ page, installation }) => {
  const user = { email: "erna@example.test", name: "Erna Erased", role: "member", password: "correct-horse-battery" };
  expect((await page.request.post("/api/users", { data: user, headers: { origin: installation.url } })).status()).toBe(
    201,
  );
  await page.goto("/admin/people");

  await page.getByRole("button", { name: "Actions for Erna Erased" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download their data" }).click();
  expect((await download).suggestedFilename()).toMatch(/^user-.+\.zip$/);

  const open = async () => {
    await page.getByRole("button", { name: "Actions for Erna Erased" }).click();
    await page.getByRole("menuitem", { name: "Erase …" }).click();
    await expect(page.getByText("This deletes the account.")).toBeVisible();
  };
  await checkAccessibility(page, "/admin/people", open);
  await page.goto("/admin/people");
  await open();
  const dialog = page.getByRole("dialog", { name: "Erase Erna Erased for good?" });
  await expect(dialog.getByRole("button", { name: "Erase for good" })).toBeDisabled();
  await dialog.getByLabel("Type erna@example.test to confirm").fill("erna@example.test");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await expect(page.getByText("Everything is deleted.")).toBeVisible({ timeout: 15_000 });
  await page.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("Erna Erased")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Erased user/ }).getByText("erased", { exact: true })).toBeVisible();
});
