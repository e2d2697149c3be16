import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NO_NOTIFICATIONS } from "@/lib/schema/users/notification";
import { withQueries } from "@/lib/testing/react/with-queries";

const SETTINGS = {
  ...NO_NOTIFICATIONS,
  timeZone: null,
  serverTimeZone: "UTC",
  email: "a@example.org",
  canMail: false,
  chat: null,
  pushKey: "key",
  devices: [],
};

let requestPermission = vi.fn(async () => "denied");

beforeEach(() => {
  localStorage.clear();
  // The offer is remembered for as long as the page lives.
  vi.resetModules();
  requestPermission = vi.fn(async () => "denied");
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission: "default", requestPermission });
  Object.defineProperty(navigator, "serviceWorker", { value: {}, configurable: true });
  vi.stubGlobal("fetch", async () => Response.json(SETTINGS));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open() {
  const { NotifyLine } = await import("./notify-line");
  const Queries = withQueries();
  render(
    <Queries>
      <NotifyLine />
      <NotifyLine />
    </Queries>,
  );
}

test("only the first card offers it, and the browser asks only after the press", async () => {
  await open();
  expect(await screen.findAllByRole("button", { name: "Notify me" })).toHaveLength(1);
  expect(requestPermission).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Notify me" }));
  await waitFor(() => expect(requestPermission).toHaveBeenCalledOnce());
  await waitFor(() => expect(screen.queryByRole("button", { name: "Notify me" })).toBeNull());
});

test("what was dismissed does not come back with the next page", async () => {
  await open();
  fireEvent.click(await screen.findByRole("button", { name: "Not now" }));
  expect(screen.queryByText(/This browser can tell you/)).toBeNull();
  cleanup();
  vi.resetModules();
  await open();
  expect(screen.queryByRole("button", { name: "Notify me" })).toBeNull();
  expect(requestPermission).not.toHaveBeenCalled();
});

test("a browser that was asked before, or has no push, offers nothing", async () => {
  vi.stubGlobal("Notification", { permission: "granted", requestPermission });
  await open();
  expect(screen.queryByRole("button", { name: "Notify me" })).toBeNull();
});
