import { composer, lastReply, send, startThread, threadRow, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

test("What can't be stored without a network shows as such, and is stored when it is done again", async ({
  page,
  context,
  installation,
}) => {
  await installation.addAgent("offline-all", [{ text: "First." }, { text: "Second." }]);
  await startThread(page, "offline-all", "Stay with me");
  await whenDone(page);
  const address = page.url();
  const row = threadRow(page, "Stay with me");
  const menu = page.getByRole("main").getByRole("button", { name: "Thread actions" });
  const act = async (name: string) => {
    await menu.click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  // A menu and a dialog are loaded with their first use.
  const dialog = page.getByRole("dialog", { name: "Rename thread" });
  await act("Rename");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await context.setOffline(true);

  await composer(page).fill("Not yet");
  await composer(page).press("Enter");
  const unsent = page.getByRole("alert").filter({ hasText: "Not sent." });
  await expect(unsent).toContainText("You are offline. Reconnect, then try again.");

  await act("Rename");
  await dialog.getByRole("textbox", { name: "Title" }).fill("Renamed");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("You are offline.");
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("Renamed");
  await page.keyboard.press("Escape");

  await act("Pin");
  await expect(page.getByText("You are offline. Reconnect, then try again.").last()).toBeVisible();
  await act("Delete");
  await expect(row).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(lastReply(page)).toContainText("First.");

  await context.setOffline(false);
  await unsent.getByRole("button", { name: "Retry" }).click();
  await expect(unsent).toBeHidden();
  await expect(lastReply(page)).toContainText("Second.");
  await whenDone(page);
  await act("Delete");
  await expect(row).toBeHidden();
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row).toBeVisible();
});

test("A decision that did not reach the server says so, and can be taken again", async ({ page, context }) => {
  await startThread(page, "default", "run echo decided-offline");
  const card = page.getByRole("region", { name: "Approval: execute" });
  await expect(card).toBeVisible();
  await context.setOffline(true);
  await card.getByRole("button", { name: /^Allow once/ }).click();
  await expect(card.getByRole("alert")).toContainText("You are offline.");
  await context.setOffline(false);
  await send(page, "calculate 6 * 7");
  await expect(lastReply(page)).toContainText("42");
});
