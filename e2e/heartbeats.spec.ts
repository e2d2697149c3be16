import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("A heartbeat is turned on, given something to do, says it, is silent about it, and costs nothing without it", async ({
  page,
  installation,
}) => {
  await installation.addAgent("watchful", [{ text: "Three reviews wait." }, { text: "NO_REPLY" }], {
    heartbeat: { every: "45m", active: null },
  });
  await page.goto("/automations/schedules");
  await page.getByRole("navigation", { name: "Automations" }).getByRole("link", { name: "Heartbeats" }).click();
  const offer = page.getByRole("article", { name: "Heartbeat of watchful" });
  await expect(offer).toContainText("Turn on to let watchful look every 45 min, at most $0.25 a day.");
  await offer.getByRole("button", { name: "Turn on watchful" }).click();
  const card = page.getByRole("article", { name: "Heartbeat of watchful" });
  await expect(card.getByRole("switch", { name: "watchful beats" })).toBeChecked();
  await expect(card).toContainText(/next beat .* in 45 min/);

  await page.keyboard.press("b");
  await expect(page.getByText("HEARTBEAT.md names nothing to do.")).toBeVisible();
  await expect(card).toContainText("no model call 1");
  await page.getByRole("button", { name: "Edit HEARTBEAT.md" }).click();
  await page.getByRole("textbox", { name: "HEARTBEAT.md" }).fill("- reviews that wait");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("version 1", { exact: true })).toBeVisible();

  await card.getByRole("button", { name: "Beat now" }).click();
  await expect(card).toContainText("said something 1");
  await expect(page.getByRole("complementary", { name: "Heartbeat of watchful" })).toContainText("Three reviews wait.");
  await card.getByRole("button", { name: "Beat now" }).click();
  await expect(card).toContainText("silent 1");
  await card.getByRole("toolbar").getByRole("button").last().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  const beat = page.getByRole("dialog", { name: "Beats of watchful" });
  await expect(beat).toContainText("Said something");
  await expect(beat.getByRole("link", { name: "Open trace" })).toBeVisible();
  await page.keyboard.press("Escape");

  await checkAccessibility(page, "/automations/heartbeats", async () =>
    expect(card.getByRole("toolbar")).toBeVisible(),
  );
});
