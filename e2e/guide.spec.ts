import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of 404/] });

test("The guide opens from the palette, its links stay in it, and a field of an agent leads to its page", async ({
  page,
}) => {
  await page.goto("/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("guide");
  await page.getByRole("option", { name: "Guide" }).first().click();
  await expect(page).toHaveURL(/\/guide$/);
  await page.getByRole("article").getByRole("link", { name: "The sandbox" }).click();
  await expect(page).toHaveURL(/\/guide\/sandbox$/);

  const pages = page.getByRole("navigation", { name: "Pages of the guide" });
  await pages.getByRole("link", { name: "Tools", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Tools", level: 1 })).toBeVisible();
  await expect(pages.getByRole("link", { name: "Tools", exact: true })).toHaveAttribute("aria-current", "page");
  await page
    .getByRole("article")
    .getByRole("link", { name: /sandbox/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/guide\/sandbox/);

  const missing = await page.goto("/guide/no-such-page");
  expect(missing?.status()).toBe(404);

  await page.goto("/admin/agents/default?tab=workspace");
  const link = page.getByRole("link", { name: "Guide: Memory" });
  await expect(link).toBeHidden();
  await page
    .getByRole("spinbutton", { name: "Memory" })
    .or(page.getByRole("textbox", { name: "Memory" }))
    .focus();
  await page.keyboard.press("Tab");
  await expect(link).toBeFocused();
  await expect(link).toHaveAttribute("href", "/guide/sandbox");
});

test("axe finds nothing in the guide", async ({ page }) => {
  test.slow();
  await checkAccessibility(page, "/guide", async () =>
    expect(page.getByRole("article").getByRole("link", { name: "Your first agent" }).first()).toBeVisible(),
  );
  await checkAccessibility(page, "/guide/automation/schedules", async () =>
    expect(page.getByRole("article")).toContainText("schedule"),
  );
});
