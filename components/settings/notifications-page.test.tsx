import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { NO_NOTIFICATIONS, type NotificationSettings } from "@/lib/schema/users/notification";
import { withQueries } from "@/lib/testing/react/with-queries";
import { NotificationsPage } from "./notifications-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SETTINGS: NotificationSettings = {
  ...NO_NOTIFICATIONS,
  timeZone: null,
  serverTimeZone: "UTC",
  email: "a@example.org",
  canMail: false,
  chat: null,
  pushKey: "k",
  devices: [],
};

test("everything is paused for an hour, the page says until when, and it can be resumed before", async () => {
  const sent: unknown[] = [];
  let pausedUntil: string | null = null;
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit = {}) => {
    if (path.startsWith("/api/deliveries")) return Response.json({ deliveries: [], nextCursor: null });
    if (method === "PATCH") {
      const change = JSON.parse(String(body)) as { pauseMinutes: number };
      sent.push(change);
      const { pauseMinutes } = change;
      pausedUntil = pauseMinutes === 0 ? null : new Date(Date.now() + pauseMinutes * 60_000).toISOString();
    }
    return Response.json({ ...SETTINGS, pausedUntil });
  });
  render(
    <ShellProvider value={{} as unknown as Shell}>
      <NotificationsPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  fireEvent.click(await screen.findByRole("button", { name: "Pause for 1 h" }));
  expect((await screen.findByText(/^Paused until \d\d:\d\d$/)).getAttribute("role")).toBe("status");
  fireEvent.click(screen.getByRole("button", { name: "Resume" }));
  expect(await screen.findByRole("button", { name: "Pause for 1 h" })).toBeTruthy();
  await vi.waitFor(() => expect(sent).toEqual([{ pauseMinutes: 60 }, { pauseMinutes: 0 }]));
});
