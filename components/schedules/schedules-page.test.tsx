import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { Firing } from "@/lib/schema/triggers/firing";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ScheduleDialog } from "./schedule-dialog";
import { SchedulesPage } from "./schedules-page";

vi.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams() }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = {
  viewer: { id: "u1", scopes: ["read", "chat"] },
  go: vi.fn(),
  openMenu: vi.fn(),
  setPageKeys: vi.fn(),
} as unknown as Shell;

const FIRING: Firing = {
  ...{ id: "fir_1", dueAt: "2026-11-23T08:00:00.000Z", state: "started", reason: null, runId: "run_1", count: 1 },
  ...{ threadId: "th_1", status: "completed", costUsd: 0.034, failedCalls: 0, startedAt: null, endedAt: null },
};

const SCHEDULE: Schedule = {
  ...{ id: "trg_1", name: "Morning brief", agentId: "analyst", agentName: "Analyst", agentVersion: 7, ownerId: "u1" },
  ...{ ownerName: "Ada", kind: "cron", cron: "0 9 * * 1-5", timezone: "Europe/Berlin", prompt: "Brief me." },
  ...{ thread: "new", overlap: "skip", missed: "run_once", grace: "6h", on_ask: "wait", pause_after_failures: 3 },
  ...{ budget: { run_usd: null, day_usd: 1 }, deliver: [{ thread: true }], no_history: false, compact: true },
  ...{ allow: [], deny: [], enabled: true, nextDueAt: "2099-11-24T08:00:00.000Z", failures: 0, pausedReason: null },
  ...{ pausedAt: null, fromConfig: false, todayUsd: 0.034, firings: [FIRING], createdAt: "2026-11-01T00:00:00.000Z" },
};

function open(schedules: readonly Schedule[]) {
  vi.stubGlobal("fetch", async () => Response.json({ schedules, nextCursor: null }));
  render(
    <ShellProvider value={SHELL}>
      <SchedulesPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
}

test("without schedules the page says what one does, and offers the first", async () => {
  open([]);
  expect(await screen.findByText("Nothing starts by itself yet")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "New schedule" })).toHaveLength(1);
});

test("schedules stand in their groups, with when, next, the last run and what today has cost", async () => {
  const paused: Partial<Schedule> = { enabled: false, nextDueAt: null, failures: 3, pausedReason: "failures" };
  const waiting: Firing = { ...FIRING, status: "waiting" };
  open([
    SCHEDULE,
    { ...SCHEDULE, id: "trg_2", name: "Import", ...paused, firings: [{ ...FIRING, failedCalls: 1 }] },
    { ...SCHEDULE, id: "trg_3", name: "Release sync", firings: [waiting] },
  ]);
  const table = await screen.findByRole("table", { name: "Schedules" });
  const groups = within(table).getAllByRole("rowheader");
  expect(groups.map(({ textContent }) => textContent)).toEqual(["Needs you 1", "On 1", "Paused 1"]);
  const rowOf = (name: string) => within(table).getByRole("button", { name }).closest("tr")?.textContent;
  expect(rowOf("Morning brief")).toMatch(/Analyst v7weekdays at 09:00Tue 24 Nov, 09:00 in .*\$0\.034\$0\.03 of \$1/);
  expect(rowOf("Import")).toMatch(/Paused 3 failures.*stands still.*ran, a tool failed/);
  expect(within(table).getByRole("link", { name: "Needs you" }).getAttribute("href")).toBe("/threads/th_1");
});

test("a waiting call is allowed for the schedule where it stands: the schedule learns it, then the run continues", async () => {
  const ask = {
    ...{ id: "apr_1", runId: "run_1", threadId: "th_1", threadTitle: null, agentId: "analyst", agentName: "Analyst" },
    ...{ kind: "approval", toolCallId: "call_1", tool: "execute", args: { command: "git push" } },
    ...{ facts: { kind: "command", gist: "git push", question: "Run this command?" } },
    waitingSince: "2026-11-23T08:00:00.000Z",
  };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.body) sent.push([init.method, path, JSON.parse(String(init.body))]);
    if (init?.method === "PATCH") return Response.json(SCHEDULE);
    if (path.startsWith("/api/runs")) return Response.json({ runId: "run_1", status: "queued", open: [] });
    if (path.startsWith("/api/approvals")) return Response.json({ approvals: [ask], nextCursor: null, total: 1 });
    return Response.json({
      schedules: [{ ...SCHEDULE, firings: [{ ...FIRING, status: "waiting" }] }],
      nextCursor: null,
    });
  });
  render(
    <ShellProvider value={SHELL}>
      <SchedulesPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  expect(await screen.findByText("Run this command?")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Allow for this schedule" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    ["PATCH", "/api/schedules/trg_1", { allow: [{ tool: "execute", args: { command: "git push" } }] }],
    ["POST", "/api/runs/run_1/decisions", { decisions: [{ tool_call_id: "call_1", decision: "allow" }], via: "page" }],
  ]);
});

test("the strip shows what became of each due time, and why", async () => {
  const missed: Firing = { ...FIRING, id: "fir_0", state: "missed", count: 3, runId: null, status: null };
  open([{ ...SCHEDULE, firings: [{ ...missed, reason: "3 due times were missed: the server was away." }, FIRING] }]);
  fireEvent.click(await screen.findByRole("button", { name: "Past 2 of Morning brief: ran" }));
  const card = await screen.findByRole("dialog", { name: "Firings of Morning brief" });
  expect(card.textContent).toContain("Ran");
  fireEvent.click(within(card).getByRole("button", { name: "Earlier firing" }));
  expect(card.textContent).toContain("Missed 3 times");
  expect(card.textContent).toContain("the server was away");
});

test("the editor shows every problem beside its field and keeps what was typed", async () => {
  const fetched = vi.fn(async (_: string, init?: RequestInit) =>
    init?.method === "POST"
      ? Response.json({ asks: [], pastRuns: 0, next: ["2099-01-02T09:00:00.000Z"], timezone: "UTC" })
      : Response.json({ agents: [], nextCursor: null }),
  );
  vi.stubGlobal("fetch", fetched);
  render(<ScheduleDialog schedule={null} start={{ prompt: "", agentId: "analyst" }} onClose={vi.fn()} />, {
    wrapper: withQueries(),
  });
  expect(await screen.findByText("None, by the agent’s rules as they are now.")).toBeTruthy();
  const when = screen.getByRole("textbox", { name: "When" });
  fireEvent.change(when, { target: { value: "fortnightly-ish" } });
  fireEvent.change(screen.getByRole("textbox", { name: "US dollars a day" }), { target: { value: "lots" } });
  fireEvent.submit(when.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Not understood from ‘fortnightly-ish’. Try ‘every weekday at 9’.")).toBeTruthy();
  for (const problem of [
    "Give it a name, such as Morning brief.",
    "Write what the agent is to do.",
    "Write a number, such as 0.50.",
  ]) {
    expect(screen.getByText(problem)).toBeTruthy();
  }
  expect(when).toHaveProperty("value", "fortnightly-ish");
  const posts = fetched.mock.calls.filter(([path]) => path === "/api/schedules");
  expect(posts).toEqual([]);
});

test("a call that would ask can be allowed for this schedule alone, and is saved so", async () => {
  const call = { tool: "execute", args: { command: "git fetch" } };
  const asks = [{ ...call, reason: "The mode default asks.", runs: 4 }];
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.method === "PATCH") {
      sent.push(JSON.parse(String(init.body)));
      return Response.json(SCHEDULE);
    }
    if (path.includes("preflight")) return Response.json({ asks, pastRuns: 5, next: [], timezone: "UTC" });
    return Response.json({ agents: [], nextCursor: null });
  });
  render(<ScheduleDialog schedule={SCHEDULE} start={{ prompt: "", agentId: null }} onClose={vi.fn()} />, {
    wrapper: withQueries(),
  });
  expect(await screen.findByText("in 4 of 5 runs")).toBeTruthy();
  fireEvent.click(screen.getByRole("radio", { name: "Allow this exact call" }));
  fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ cron: "0 9 * * 1-5", allow: [call], deny: [] });
});
