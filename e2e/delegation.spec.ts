import { composer, gate, lastReply, send, startThread, whenDone } from "./support/chat";
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
  await expect(panel).toContainText(/bookings\s*v1\s*since \d\d:\d\d/);
  await expect(panel).toContainText(/Can also be handed to\s*1\s*couriers\s*Parcels and returns\./);
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

test("The panel shows who works for the thread, opens what it does, and stops it", async ({ page, installation }) => {
  const digging = gate();
  await installation.addAgent("auditor", [{ text: "I read the statements. ", gate: digging.opened }]);
  const call = { name: "delegate", args: { agent: "auditor", task: "Read the statements of November" } };
  await installation.addAgent("treasurer", [{ calls: [call] }, { text: "Then without the audit." }], {
    delegates: ["auditor"],
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await startThread(page, "treasurer", "Is the transfer final?");
  const panel = page.getByRole("complementary").filter({ hasText: "Working for this thread" });
  await expect(panel).toContainText(/1 now\s*auditor\s*v1\s*Read the statements of November/);
  await panel.getByRole("button", { name: "Open", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^auditor: Read the statements/ });
  await expect(dialog.getByText("Read the statements of November").last()).toBeVisible();
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Stop auditor" }).click();
  await expect(lastReply(page)).toContainText("Then without the audit.");
  await expect(page.getByText("Working for this thread")).toBeHidden();
  digging.open();
});

test("While the agent that took over works, messages are queued and steered, and its run is stopped", async ({
  page,
  installation,
}) => {
  const [handing, working, booking] = [gate(), gate(), gate()];
  const todos = { todos: [{ id: "1", title: "Look the payment up", status: "in_progress" }] };
  await installation.addAgent("payments", [
    { text: "I look at the ledger. ", gate: working.opened, calls: [{ name: "write_todos", args: todos }] },
    { text: "By transfer, then." },
    { text: "The first question has its answer." },
    { text: "The receipt is on its way." },
    { text: "I book it. ", gate: booking.opened },
  ]);
  const call = { name: "handoff", args: { agent: "payments", reason: "Needs to book." } };
  await installation.addAgent("reception", [{ text: "One moment. ", gate: handing.opened, calls: [call] }], {
    delegates: ["payments"],
  });
  await startThread(page, "reception", "Refund order 4471");
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
  await send(page, "Asked before the handoff");
  handing.open();
  await expect(page.getByText("payments v1 answers now")).toBeVisible();
  const queue = page.getByRole("list", { name: "Queued messages" });
  await send(page, "Send a receipt");
  await expect(queue.getByRole("listitem")).toHaveText([/Asked before/, /Send a receipt/]);
  await composer(page).press("ControlOrMeta+Shift+S");
  await expect(page.getByText("payments reads it before its next step.")).toBeVisible();
  await send(page, "By transfer");
  await expect(queue.getByRole("listitem")).toHaveText([/Steer.*By transfer/, /Asked before/, /Send a receipt/]);
  await page.reload();
  await expect(queue.getByRole("listitem")).toHaveText([/Steer.*By transfer/, /Asked before/, /Send a receipt/]);
  working.open();
  await expect(page.getByText("The receipt is on its way.")).toBeVisible();
  await expect(page.getByText(/^steered, read at step 2 after/)).toBeVisible();
  await expect(page.getByText("The first question has its answer.")).toBeVisible();
  await whenDone(page);
  await send(page, "Book it");
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeHidden();
  await expect(lastReply(page)).toContainText(/Stopped/);
  booking.open();
});
