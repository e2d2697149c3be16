import type { CDPSession, Page, Worker } from "@playwright/test";
import { startPushServer } from "../lib/testing/servers/push-server";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

/** Chromium asks a service of Google's for an address, so the journey's browser gets one of the push service here. */
async function addBrowser(page: Page, subscription: unknown): Promise<void> {
  const status = await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/push-subscriptions", { method: "POST", headers, body: JSON.stringify(body) })).status;
  }, subscription);
  expect(status).toBe(201);
}

/** What the browser does with a message that its push service brings. */
async function bring(cdp: CDPSession, page: Page, registrationId: string, message: unknown): Promise<void> {
  const origin = new URL(page.url()).origin;
  await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(message) });
}

async function shown(worker: Worker): Promise<{ title: string; body: string; actions: string[] }[]> {
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await scope.registration.getNotifications()).map((one) => {
      const { title, body, actions = [] } = one as Notification & { actions?: { action: string }[] };
      return { title, body, actions: actions.map(({ action }) => action) };
    });
  });
}

/** A press on a button of the notification that is shown: no browser lets a script press the real one. */
async function press(worker: Worker, action: string): Promise<void> {
  await worker.evaluate(async (pressed) => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const [notification] = await scope.registration.getNotifications();
    const Click = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
      .NotificationEvent;
    globalThis.dispatchEvent(new Click("notificationclick", { notification, action: pressed }));
  }, action);
}

test("What a scheduled run waits for is pushed, allowed from the notification, and not decided twice", async ({
  installation,
  openAs,
  sparePort,
}) => {
  const push = await startPushServer(sparePort);
  try {
    const call = { calls: [{ name: "write_file", args: { path: "/workspace/n.txt", content: "n" } }] };
    const rules = { permissions: { enabled: true, mode: "default" } };
    await installation.addAgent("notifier", [call, { text: "Written after a press." }], rules);
    const page = await openAs(await installation.addPerson("member", "Nina Notified"));
    await page.goto("/settings/notifications");
    const { origin } = new URL(page.url());
    await page.context().grantPermissions(["notifications"], { origin });
    await page.reload();
    await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
    await expect(page.getByRole("button", { name: "Turn on for this browser" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Channel", exact: true })).toHaveAttribute(
      "href",
      "/settings/channels",
    );
    await page.getByText("Show what is asked, with Allow and Deny").click();
    const box = page.getByRole("checkbox", { name: "Needs my decision: Push" });
    await box.focus();
    await page.keyboard.press("Space");
    await expect(box).toBeChecked();
    await expect(page.getByRole("status").filter({ hasText: "saved" })).toBeVisible();
    await addBrowser(page, push.subscribe("Nina’s phone"));
    await page.reload();
    await expect(box).toBeChecked();
    await expect(page.getByRole("list", { name: "Browsers" })).toContainText("Nina’s phone");

    const cdp = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId);
      });
    });
    await cdp.send("ServiceWorker.enable");
    await page.evaluate(() => navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready));
    const registrationId = await registered;
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));

    const runId = await page.evaluate(async () => {
      const send = async (path: string, body?: object) => {
        const headers = { "content-type": "application/json" };
        return (await fetch(path, { method: "POST", headers, ...(body ? { body: JSON.stringify(body) } : {}) })).json();
      };
      const schedule = await send("/api/schedules", {
        agentId: "notifier",
        name: "Nightly note",
        cron: "0 3 * * *",
        prompt: "Note it.",
      });
      return (await send(`/api/schedules/${schedule.id}/run`)).runId as string;
    });
    await expect.poll(() => push.received.length, { timeout: 30_000 }).toBe(1);
    const message = push.received[0]?.message;
    expect(message).toMatchObject({ title: "Write this file?", mayAllow: true });
    await bring(cdp, page, registrationId, message);
    await expect.poll(() => shown(worker)).toMatchObject([{ title: "Write this file?" }]);
    expect((await shown(worker))[0]?.body).toContain('write_file {"path":"/workspace/n.txt","content":"n"}');
    expect((await shown(worker))[0]?.actions).toEqual(["allow", "deny"]);
    await press(worker, "allow");
    await expect.poll(() => shown(worker)).toMatchObject([{ title: "Allowed", actions: [] }]);

    await bring(cdp, page, registrationId, message);
    await expect.poll(() => shown(worker)).toMatchObject([{ title: "Write this file?" }]);
    await press(worker, "deny");
    await expect.poll(() => shown(worker)).toMatchObject([{ title: "Already decided" }]);
    expect((await shown(worker))[0]?.body).toBe("Already decided. Allowed by Nina Notified from a notification.");

    const run = await page.evaluate(async (id) => (await fetch(`/api/runs/${id}`)).json(), runId);
    await page.goto(`/threads/${run.threadId}`);
    await expect(page.getByText("Written after a press.")).toBeVisible();
    await expect(page.getByText(/by Nina Notified, from a notification/).first()).toBeAttached();

    await page.goto("/settings/notifications");
    await expect(page.getByRole("region", { name: "Sent to you" })).toContainText("A decision was needed");
    await page.getByRole("switch", { name: "Quiet hours" }).focus();
    await page.keyboard.press("Space");
    await expect(page.getByRole("textbox", { name: "From" }).or(page.getByLabel("From"))).toBeVisible();
    await checkAccessibility(page, "/settings/notifications", async () => expect(box).toBeVisible());
    await checkAccessibility(page, "/settings/account", async () =>
      expect(page.getByRole("combobox", { name: "Your time zone" })).toBeVisible(),
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("combobox", { name: "Your time zone" }).selectOption("Asia/Tokyo");
    await expect(page.getByText("Your time zone is Asia/Tokyo")).toBeVisible();
    await page.goto("/settings/notifications");
    await expect(page.getByRole("region", { name: "Quiet hours" })).toContainText("Asia/Tokyo, now");
  } finally {
    await push.close();
  }
});
