import { BOT_TOKEN, ScriptedTelegram } from "../lib/testing/servers/scripted-telegram";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("A Telegram chat is paired and used, its approval is decided in the browser, and the button changes", async ({
  page,
  installation,
  openAs,
  sparePort,
}) => {
  const api = await new ScriptedTelegram().start(sparePort);
  try {
    const call = { calls: [{ name: "write_file", args: { path: "/workspace/n.txt", content: "n" } }] };
    const rules = { permissions: { enabled: true, mode: "default" } };
    await installation.addAgent("texter", [call, { text: "Written after a decision." }, { text: "Noted." }], rules);
    await page.goto("/admin/channels");
    await expect(page.getByText("No channels yet")).toBeVisible();
    await page.getByRole("button", { name: "Add bot" }).click();
    const dialog = page.getByRole("dialog", { name: "Add bot" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Lab");
    await dialog.getByRole("button", { name: /Agent that answers$/ }).click();
    await page
      .getByRole("option", { name: /texter/ })
      .first()
      .click();
    await dialog.getByRole("textbox", { name: "Token" }).fill(BOT_TOKEN);
    await dialog.getByRole("textbox", { name: /^Address of the service/ }).fill(api.url);
    await dialog.getByRole("button", { name: "Add and test" }).click();
    const card = page.getByRole("article", { name: "Lab" });
    await expect(card).toContainText("It is @ringmaster_lab_bot, “Lab”");

    const mine = await openAs(await installation.addPerson("member", "Petra Vogel"));
    await mine.goto("/settings/channels");
    await mine.getByRole("button", { name: "Link a chat in Lab" }).click();
    const steps = mine.getByRole("region", { name: "Connect Telegram" });
    const code = (await steps.locator("code").textContent()) ?? "";
    const petra = { id: 7, first_name: "Petra", username: "petra" };
    api.say({ from: petra, text: code });
    await expect(steps.getByRole("status")).toHaveText("Linked: @petra, just now");

    api.say({ from: petra, text: "Write the note" });
    await expect.poll(() => api.sentTo(7).at(-1)?.buttons.length, { timeout: 20_000 }).toBe(2);
    const asked = api.sentTo(7).at(-1);
    await mine.reload();
    await mine.getByRole("link", { name: "Open thread" }).click();
    await expect(mine.getByText("Write the note").first()).toBeVisible();
    await mine.getByRole("button", { name: /^Allow once/ }).click();
    await expect.poll(() => asked?.text, { timeout: 12_000 }).toContain("✓ Allowed by Petra in the browser");
    expect(asked?.buttons).toEqual([]);
    await expect.poll(() => api.sentTo(7).at(-1)?.text).toBe("Written after a decision.");

    await mine.goto("/settings/notifications");
    const box = mine.getByRole("checkbox", { name: "A run finished: Channel" });
    await box.focus();
    await mine.keyboard.press("Space");
    await expect(mine.getByRole("status").filter({ hasText: "saved" })).toBeVisible();
    await expect(mine.getByText(/now @petra in Lab \(Telegram\)/)).toBeVisible();
    await mine.screenshot({ path: "test-results/notifications.png" });
    await mine.setViewportSize({ width: 390, height: 844 });
    await mine.screenshot({ path: "test-results/notifications-phone.png" });
    await mine.setViewportSize({ width: 1440, height: 900 });
    await mine.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const schedule = { agentId: "texter", name: "Nightly note", cron: "0 3 * * *", prompt: "Note it." };
      const made = await fetch("/api/schedules", { method: "POST", headers, body: JSON.stringify(schedule) });
      await fetch(`/api/schedules/${(await made.json()).id}/run`, { method: "POST", headers });
    });
    await expect.poll(() => api.sentTo(7).at(-1)?.text, { timeout: 20_000 }).toBe("A run has finished");

    await checkAccessibility(mine, "/settings/channels", async () =>
      expect(mine.getByRole("button", { name: "Unlink @petra" })).toBeVisible(),
    );
    await checkAccessibility(page, "/admin/channels", async () =>
      expect(page.getByRole("row", { name: /Petra Vogel/ })).toBeVisible(),
    );
  } finally {
    await api.close();
  }
});
