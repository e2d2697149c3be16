import type { Page } from "@playwright/test";
import { checkAccessibility as check } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

/** Axe finds nothing in what opens over the page at `path`. */
async function checkDialog(page: Page, path: string, open: () => Promise<void>): Promise<void> {
  await check(page, path, async () => {
    await open();
    await expect(page.getByRole("dialog")).toBeVisible();
  });
}

test("The dialogs of schedules, heartbeats, webhooks and channels are accessible", async ({ page, installation }) => {
  test.slow();
  await installation.addAgent("axe-agent", [{ text: "All is well." }]);
  await page.goto("/automations/schedules");
  const post = (path: string, body: object) =>
    page.evaluate(
      async ([address, json]) => {
        const headers = { "content-type": "application/json" };
        return (await fetch(address, { method: "POST", headers, body: json })).status;
      },
      [path, JSON.stringify(body)] as const,
    );
  expect(await post("/api/heartbeats", { agentId: "axe-agent" })).toBe(201);

  await check(page, "/automations/schedules/new", async () =>
    expect(page.getByRole("region", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5),
  );
  const card = page.getByRole("article", { name: "Heartbeat of axe-agent" });
  await checkDialog(page, "/automations/heartbeats", () => page.getByRole("button", { name: "Add heartbeat" }).click());
  await checkDialog(page, "/automations/heartbeats", async () => {
    await card.getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
  });
  await checkDialog(page, "/automations/webhooks", () => page.getByRole("button", { name: "New webhook" }).click());
  await checkDialog(page, "/automations/channels", () => page.getByRole("button", { name: "Add bot" }).first().click());
});

test("The dialogs of boards and the panel of a team are accessible", async ({ page, installation }) => {
  test.slow();
  await installation.addAgent("axe-member", [{ text: "It is done." }]);
  await checkDialog(page, "/automations/boards", () => page.getByRole("button", { name: "New board" }).first().click());
  const id = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const make = async (path: string, body: object) =>
      (await (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json()) as { id: string };
    const board = await make("/api/boards", { name: "Axe", members: ["axe-member"], review: "person" });
    await make(`/api/boards/${board.id}/tasks`, { title: "Look around", spec: "Look." });
    return board.id;
  });
  await checkDialog(page, `/automations/boards/${id}`, async () => {
    await expect(page.getByRole("button", { name: "Send back" })).toBeVisible();
    await page.keyboard.press("a");
  });
  await checkDialog(page, `/automations/boards/${id}`, () => page.getByRole("button", { name: "Send back" }).click());
  await checkDialog(page, `/automations/boards/${id}`, () =>
    page.getByRole("button", { name: "Team and settings" }).click(),
  );
});
