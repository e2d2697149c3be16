import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { Alert } from "@/lib/schema/traces/alert";
import { NO_NOTIFICATIONS } from "@/lib/schema/users/notification";
import { withQueries } from "@/lib/testing/react/with-queries";
import { AlertButton } from "./alert-button";
import { AlertsPage } from "./alerts-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NOW = new Date().toISOString();
const FAILING: Alert = {
  ...{ id: "alert_1", name: "Coder fails", query: "agent=coder&status=failed%2Climit", metric: "error_rate" },
  ...{ threshold: 20, windowMinutes: 60, targets: [{ notify: true }], enabled: true, state: "firing", value: 34.56 },
  ...{ checkedAt: NOW, lastSentAt: NOW },
};
const TOLD = {
  ...{
    ...NO_NOTIFICATIONS,
    timeZone: null,
    serverTimeZone: "UTC",
    email: "ada@example.org",
    canMail: true,
    chat: null,
  },
  ...{ pushKey: "k", devices: [] },
};

async function answer(path: string, alerts: readonly Alert[]): Promise<Response> {
  if (path.startsWith("/api/notifications")) return Response.json(TOLD);
  return Response.json(path.startsWith("/api/alerts") ? { alerts } : { agents: [] });
}

function open(alerts: readonly Alert[], content = <AlertsPage />, role: "member" | "viewer" = "member") {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    if (method === "GET") return answer(path, alerts);
    sent.push([method, path, JSON.parse(String(init.body))]);
    return Response.json(FAILING);
  });
  const viewer = { id: "u", name: "Ada", email: "ada@example.org", role, scopes: [] };
  const Queries = withQueries();
  render(
    <Queries>
      <ShellProvider value={{ viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() }}>
        {content}
      </ShellProvider>
    </Queries>,
  );
  return sent;
}

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("an alert says what it watches, what it measures now, and leads to the runs", async () => {
  open([
    FAILING,
    { ...FAILING, id: "alert_2", name: "Quiet", enabled: false, state: "ok", value: null, checkedAt: null },
  ]);
  const row = await screen.findByRole("row", { name: /Coder fails/u });
  for (const words of ["Firing", "Error rate over 20 % in the last hour", "34.6 %"])
    expect(row.textContent).toContain(words);
  const runs = within(row).getByRole("link", { name: "Agent coder · Status Failed, Limit" });
  expect(runs.getAttribute("href")).toBe(`/traces?${FAILING.query}`);
  expect(screen.getByRole("row", { name: /Quiet/u }).textContent).toContain("Paused");
});

test("without an alert the page says what they are for", async () => {
  open([]);
  expect(await screen.findByText("No alerts")).toBeTruthy();
});

test("an alert on the list takes its filters, and a threshold as it is typed", async () => {
  const sent = open([], <AlertButton label="Alert me" query="agent=coder&sort=cost" />);
  fireEvent.click(screen.getByRole("button", { name: "Alert me" }));
  await screen.findByRole("dialog");
  fill("Name", "Coder fails");
  fill("Over, in %", "12,5");
  fireEvent.click(await screen.findByRole("checkbox", { name: /Email/u }));
  fireEvent.click(screen.getByRole("button", { name: "Set alert" }));
  const body = { name: "Coder fails", query: "agent=coder&sort=cost", metric: "error_rate", threshold: 12.5 };
  const targets = [{ notify: true }, { email: true }];
  await vi.waitFor(() => expect(sent).toEqual([["POST", "/api/alerts", { ...body, windowMinutes: 60, targets }]]));
});

test("one on a problem asks for no threshold", async () => {
  const sent = open([], <AlertButton label="Alert when it comes back" query="problemId=prb_1" name="Gone" />);
  fireEvent.click(screen.getByRole("button", { name: "Alert when it comes back" }));
  await screen.findByRole("dialog");
  expect(screen.queryByLabelText(/^Over/u)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Set alert" }));
  const body = { name: "Gone", query: "problemId=prb_1", metric: "problem_back", threshold: 0, windowMinutes: 1_440 };
  await vi.waitFor(() => expect(sent).toEqual([["POST", "/api/alerts", { ...body, targets: [{ notify: true }] }]]));
});

test("an alert is paused from its menu, which a viewer is not offered", async () => {
  const sent = open([FAILING]);
  fireEvent.click(await screen.findByRole("button", { name: "Change Coder fails" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Pause" }));
  await vi.waitFor(() => expect(sent).toEqual([["PATCH", "/api/alerts/alert_1", { enabled: false }]]));
  cleanup();
  open([FAILING], <AlertsPage />, "viewer");
  await screen.findByRole("row", { name: /Coder fails/u });
  expect(screen.queryByRole("button", { name: /Change|New alert/u })).toBeNull();
});
