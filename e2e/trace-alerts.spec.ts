import { startThread } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

/** Alerts are measured once a minute. */
const NEXT_MEASURING_MS = 90_000;

test("An alert on the failing runs of an agent fires, stands in the inbox, is paused and deleted", async ({
  page,
  installation,
}) => {
  test.slow();
  await installation.addAgent("alarming", [{ fault: { status: 400, message: "No more." } }], { retries: 0 });
  const row = page.getByRole("row", { name: /Alarming fails/ });

  await test.step("Without one, the page says what they are for", async () => {
    await page.goto("/traces");
    await page.getByRole("navigation", { name: "Traces" }).getByRole("link", { name: "Alerts" }).click();
    await expect(page.getByText("No alerts")).toBeVisible();
  });

  await test.step("It is made in the list, with its filters, and says at once what it measures", async () => {
    await startThread(page, "alarming", "Ask one.");
    await expect(page.getByText("model_failed")).toBeVisible();
    await page.goto("/traces?agent=alarming&period=24h");
    await expect(page.getByRole("link", { name: "Ask one.", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Alert me" }).click();
    const dialog = page.getByRole("dialog", { name: "Alert me" });
    await dialog.getByLabel("Name").fill("Alarming fails");
    await dialog.getByLabel("Over, in %").fill("12,5");
    await dialog.getByRole("button", { name: "Set alert" }).click();
    await expect(page.getByText("Alert set. Now: 100 %.")).toBeVisible();
    await page.goto("/traces/alerts");
    await expect(row).toContainText("Error rate over 12.5 % in the last hour");
    await expect(row.getByRole("link", { name: "Agent alarming" })).toHaveAttribute("href", "/traces?agent=alarming");
    await checkAccessibility(page, "/traces/alerts", () => expect(row).toBeVisible());
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step("On a phone it is beside the filters", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/traces?agent=alarming");
    await page.getByRole("button", { name: "Alert me" }).click();
    await expect(page.getByRole("dialog", { name: "Alert me" }).getByLabel("Name")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step("It stands in the inbox once", async () => {
    const note = page.getByText("Alarming fails: 100 %");
    await page.goto("/inbox");
    await expect(note.first()).toBeVisible({ timeout: NEXT_MEASURING_MS });
    const { notes } = await (await page.request.get("/api/inbox-notes")).json();
    expect(notes.filter(({ kind }: { kind: string }) => kind === "alert")).toHaveLength(1);
    await page.goto("/traces/alerts");
    await expect(row).toContainText("Firing");
  });

  await test.step("It is edited, paused and deleted from its menu", async () => {
    const change = async (action: string) => {
      await row.getByRole("button", { name: "Change Alarming fails" }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await change("Edit");
    const dialog = page.getByRole("dialog", { name: "Edit Alarming fails" });
    await expect(dialog.getByLabel("Over, in %")).toHaveValue("12.5");
    await dialog.getByLabel("Over, in %").fill("50");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(row).toContainText("over 50 %");
    await change("Pause");
    await expect(row).toContainText("Paused");
    await change("Delete");
    await expect(row).toBeHidden();
  });

  await test.step("One on a problem watches for it to come back", async () => {
    await page.goto("/traces/problems");
    await page
      .getByRole("button", { name: /No more/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Alert when it comes back" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set alert" }).click();
    await page.goto("/traces/alerts");
    await expect(page.getByRole("row", { name: /A problem comes back in the last 24 hours/ })).toContainText("0 runs");
  });
});
