import type { TraceList } from "@/lib/schema/traces/trace";
import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("Charts narrow the list to a time by keys and by dragging, and Escape takes it back", async ({
  page,
  installation,
}) => {
  await installation.addAgent("charted", [{ text: "It is charted." }]);
  await startThread(page, "charted", "Chart this.");
  await whenDone(page);
  const listed = await installation.call("GET", "/api/traces?agentId=charted");
  const [run] = ((await listed.json()) as TraceList).traces;
  const row = page.getByRole("link", { name: "Chart this." });

  await page.goto("/traces?agent=charted&period=24h");
  await expect(row).toBeVisible();
  await expect(page.getByRole("slider", { name: /^Time/ })).toBeHidden();
  await page.getByRole("button", { name: "Charts" }).click();
  const charts = page.getByRole("slider", { name: /^Time/ });
  await charts.focus();
  await page.keyboard.press("End");
  await expect(charts).toHaveAttribute("aria-valuetext", /1 completed/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]from=.*&to=/);
  await expect(page.getByRole("list", { name: "Filters in force" }).getByText("Started")).toBeVisible();
  await expect(row).toBeVisible();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No trace matches")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No trace matches")).toBeVisible();
  await charts.focus();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/from=/);
  await expect(row).toBeVisible();

  const box = await charts.locator("[data-plot=runs]").boundingBox();
  if (box === null) throw new Error("The plot has no size.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, y, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/[?&]from=.*&to=/);
  const from = new URL(page.url()).searchParams.get("from");
  expect(Date.parse(from ?? "")).toBeLessThan(Date.parse(run?.startedAt ?? ""));
  await expect(row).toBeVisible();

  const { pathname, search } = new URL(page.url());
  await checkAccessibility(page, `${pathname}${search}`, async () => {
    await expect(page.getByRole("slider", { name: /^Time/ })).toBeVisible();
    await expect(row).toBeVisible();
  });
});
