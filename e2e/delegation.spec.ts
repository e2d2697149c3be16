import { composer, lastReply, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("Another agent does a task as itself: its card leads into its transcript and back", async ({
  page,
  installation,
}) => {
  await installation.addAgent("analyst", [{ text: "The transfer of 23 November is final." }], {
    description: "Reads bank statements.",
  });
  const call = { name: "delegate", args: { agent: "analyst", task: "Is the transfer final?" } };
  await installation.addAgent("cashier", [{ calls: [call] }, { text: "It is final." }], { delegates: ["analyst"] });
  await startThread(page, "cashier", "Check the transfer");
  await expect(await whenDone(page)).toContainText("It is final.");
  const card = page.getByRole("button", { name: /delegate.*analyst v1.*Is the transfer final\?/ });
  await expect(card).toBeVisible();
  await expect(page.getByText("runs as itself: its own prompt, tools, workspace and rights")).toBeVisible();
  await card.click();
  const dialog = page.getByRole("dialog", { name: /analyst: Is the transfer final\?/ });
  await expect(dialog.getByText("The transfer of 23 November is final.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(lastReply(page)).toContainText("It is final.");
});

test("A conversation is handed over, the other agent answers, and the person takes it back", async ({
  page,
  installation,
}) => {
  await installation.addAgent("couriers", [], { description: "Parcels and returns." });
  await installation.addAgent("bookings", [{ text: "I book the refund." }, { text: "It is booked." }], {
    description: "Books refunds.",
    delegates: ["couriers"],
  });
  const call = { name: "handoff", args: { agent: "bookings", reason: "Needs to book in the ledger." } };
  await installation.addAgent("frontdesk", [{ text: "I hand this over.", calls: [call] }, { text: "Hello again." }], {
    delegates: ["bookings"],
  });
  await startThread(page, "frontdesk", "Refund order 4471");
  await expect(page.getByText("I book the refund.")).toBeVisible();
  const marker = page.getByRole("complementary", { name: "Handoff" });
  await expect(marker).toContainText("bookings v1 answers now");
  await expect(marker).toContainText("Needs to book in the ledger.");
  await expect(page.getByText("bookings answers instead of frontdesk.")).toBeVisible();
  await send(page, "Is it done?");
  await expect(page.getByText("It is booked.")).toBeVisible();
  await whenDone(page);
  await expect(marker).toContainText(/bookings v1 answers now.*handed over by frontdesk v1 at \d\d:\d\d/);
  await marker.getByRole("button", { name: "Open both traces" }).click();
  await expect(page.getByRole("menuitem", { name: "Trace of bookings" })).toBeVisible();
  await page.keyboard.press("Escape");
  const panel = page.getByRole("complementary").filter({ hasText: "Who answers" });
  await expect(panel).toContainText(/May also be handed to\s*1\s*couriers\s*Parcels and returns\./);
  await checkAccessibility(page, new URL(page.url()).pathname, async () => expect(marker).toBeVisible());
  await page.setViewportSize({ width: 1440, height: 900 });
  await composer(page).blur();
  await page.keyboard.press("b");
  await expect(page.getByText("bookings answers instead of frontdesk.")).toBeHidden();
  await expect(marker).toContainText(/Taken back by you at \d\d:\d\d/);
  await send(page, "Thank you");
  await expect(await whenDone(page)).toContainText("Hello again.");
  await expect(composer(page)).toBeEnabled();
});
