import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { Firing } from "@/lib/schema/triggers/firing";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { withQueries } from "@/lib/testing/react/with-queries";
import { FiringLogPage } from "./firing-log-page";
import { ScheduleEditor, type ScheduleEditorProps } from "./schedule-editor";
import { SchedulesPage } from "./schedules-page";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const SHELL = {
  viewer: { id: "u1", scopes: ["read", "chat"] },
  go: vi.fn(),
  setPageKeys: vi.fn(),
} as unknown as Shell;

const FIRING: Firing = {
  id: "fir_1",
  dueAt: "2026-11-23T08:00:00.000Z",
  state: "started",
  reason: null,
  runId: "run_1",
  count: 1,
  threadId: "th_1",
  status: "completed",
  costUsd: 0.034,
  failedCalls: 0,
  startedAt: null,
  endedAt: null,
};

const SCHEDULE: Schedule = {
  id: "trg_1",
  name: "Morning brief",
  agentId: "analyst",
  agentName: "Analyst",
  agentVersion: 7,
  ownerId: "u1",
  ownerName: "Ada",
  kind: "cron",
  cron: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  prompt: "Brief me.",
  thread: "new",
  overlap: "skip",
  missed: "run_once",
  grace: "6h",
  on_ask: "wait",
  pause_after_failures: 3,
  budget: { run_usd: null, day_usd: 1 },
  deliver: [{ thread: true }],
  no_history: false,
  compact: true,
  allow: [],
  deny: [],
  enabled: true,
  nextDueAt: "2099-11-24T08:00:00.000Z",
  failures: 0,
  apiKey: null,
  pausedReason: null,
  pausedAt: null,
  fromConfig: false,
  todayUsd: 0.034,
  monthUsd: 0.71,
  firings: [FIRING],
  createdAt: "2026-11-01T00:00:00.000Z",
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
  expect(await screen.findByText("No schedules yet")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "New schedule" })).toHaveLength(1);
  for (const name of ["Morning brief", "Watch this page"])
    expect(screen.getByRole("link", { name: `Start from “${name}”` })).toBeTruthy();
});

/** The editor within the shell of someone with these scopes. */
function edit(props: Pick<ScheduleEditorProps, "schedule" | "start">, scopes = ["read", "chat"]) {
  const shell = { ...SHELL, viewer: { id: "u1", scopes } } as unknown as Shell;
  render(
    <ShellProvider value={shell}>
      <ScheduleEditor {...props} subject="schedule" />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
}

test("schedules stand in their groups, with when, next, the last run and what today has cost", async () => {
  const paused: Partial<Schedule> = { enabled: false, nextDueAt: null, failures: 3, pausedReason: "failures" };
  const waiting: Firing = { ...FIRING, status: "waiting" };
  open([
    SCHEDULE,
    { ...SCHEDULE, id: "trg_2", name: "Import", ...paused, firings: [{ ...FIRING, failedCalls: 1 }] },
    { ...SCHEDULE, id: "trg_3", name: "Release sync", firings: [waiting] },
  ]);
  const table = await screen.findByRole("table", { name: "Schedules" });
  expect(screen.getByText("$0.10 today, all schedules")).toBeTruthy();
  const past = within(table).getByRole("columnheader", { name: "Past 30" });
  expect(past.textContent).toBe("Past 30now →");
  const groups = within(table).getAllByRole("rowheader");
  expect(groups.map(({ textContent }) => textContent)).toEqual(["Waiting for you 1", "On 1", "Paused 1"]);
  const rowOf = (name: string) => within(table).getByRole("link", { name }).closest("tr")?.textContent;
  expect(rowOf("Morning brief")).toMatch(
    /Analyst v7weekdays at 09:00Tue 24 Nov, 09:00 in .*\$0\.034\$0\.71\$0\.03 of \$1/,
  );
  expect(rowOf("Import")).toMatch(/Paused.*Import.*3 failures.*paused.*ran, a tool failed/);
  expect(within(table).getByRole("link", { name: "Waiting" }).getAttribute("href")).toBe("/threads/th_1");
});

test("a waiting call is allowed for the schedule where it stands: the schedule learns it, then the run continues", async () => {
  const ask = {
    id: "apr_1",
    runId: "run_1",
    threadId: "th_1",
    threadTitle: null,
    agentId: "analyst",
    agentName: "Analyst",
    kind: "approval",
    toolCallId: "call_1",
    tool: "execute",
    args: { command: "git push" },
    facts: { kind: "command", gist: "git push", question: "Run this command?" },
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
  edit({ schedule: null, start: { prompt: "", agentId: "analyst" } });
  expect(await screen.findByText("None, under the agent’s current rules.")).toBeTruthy();
  const when = screen.getByRole("textbox", { name: "When" });
  fireEvent.change(when, { target: { value: "fortnightly-ish" } });
  fireEvent.change(screen.getByRole("textbox", { name: "US dollars per day" }), { target: { value: "lots" } });
  fireEvent.submit(when.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Not understood from ‘fortnightly-ish’. Try ‘every weekday at 9’.")).toBeTruthy();
  for (const problem of [
    "Give it a name, such as Morning brief.",
    "Say what the agent should do.",
    "Enter a number, such as 0.50.",
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
  edit({ schedule: SCHEDULE, start: { prompt: "", agentId: null } });
  expect(await screen.findByText("in 4 of 5 runs")).toBeTruthy();
  fireEvent.click(screen.getByRole("radio", { name: "Allow this exact call" }));
  fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ allow: [call] });
});

test("how late a missed run may begin is written in the form, and saved", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, init?: RequestInit) => {
    if (init?.method !== "PATCH")
      return Response.json({ asks: [], pastRuns: 1, next: [], timezone: "UTC", agents: [] });
    sent.push(JSON.parse(String(init.body)));
    return Response.json(SCHEDULE);
  });
  edit({ schedule: SCHEDULE, start: { prompt: "", agentId: null } });
  const within = screen.getByRole("textbox", { name: "Max lateness" });
  fireEvent.change(within, { target: { value: "soon" } });
  fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
  expect(await screen.findByText("Enter a time such as 30m, 6h or 1d.")).toBeTruthy();
  fireEvent.change(within, { target: { value: "30m" } });
  const yaml = screen.getByRole("region", { name: "As YAML" });
  expect(yaml.textContent).toContain("1 changed");
  expect(yaml.textContent).toContain("changed:   grace: 30m");
  fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ grace: "30m" });
});

test("“Watch this page” takes an address, and makes its agent where there is none", async () => {
  const sent: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.method !== "POST") return Response.json({ agents: [], nextCursor: null, timeZone: "Europe/Berlin" });
    sent.push([path, JSON.parse(String(init.body))]);
    return Response.json(path === "/api/schedules" ? SCHEDULE : {}, { status: 201 });
  });
  edit({ schedule: null, start: { prompt: "", agentId: null, template: "watch-page" } }, ["read", "chat", "admin"]);
  expect(await screen.findByText("This also creates the agent page-watcher.")).toBeTruthy();
  const page = screen.getByRole("textbox", { name: "Page" });
  fireEvent.change(page, { target: { value: "example" } });
  fireEvent.submit(page.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Enter the whole address, such as https://example.org/news.")).toBeTruthy();
  fireEvent.change(page, { target: { value: "https://example.org/news" } });
  fireEvent.click(screen.getByRole("button", { name: "Create schedule" }));
  await waitFor(() => expect(sent.map(([path]) => path)).toEqual(["/api/agents", "/api/schedules"]));
  expect(sent[1]?.[1]).toMatchObject({
    agentId: "page-watcher",
    name: "Watch this page",
    every: "2h",
    thread: "same",
    prompt: expect.stringMatching(
      /^Watch this page: https:\/\/example\.org\/news\n.*watch\/example-org-news\.md.*NO_REPLY/s,
    ),
  });
});

test("the list is filtered by state, agent and owner, and cleared by one button", async () => {
  const others = { ownerId: "u2", ownerName: "Bo", agentId: "coder", agentName: "Coder" };
  const paused = { enabled: false, nextDueAt: null, pausedReason: null };
  open([SCHEDULE, { ...SCHEDULE, ...others, ...paused, id: "trg_2", name: "Import" }]);
  await screen.findByText("Import");
  const choose = async (filter: string, option: string) => {
    fireEvent.click(screen.getByRole("button", { name: new RegExp(`${filter}$`) }));
    fireEvent.click(await screen.findByRole("option", { name: option }));
  };
  await choose("Agent", "Coder");
  await waitFor(() => expect(screen.queryByRole("link", { name: "Morning brief" })).toBeNull());
  await choose("Owner", "Mine");
  fireEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByRole("link", { name: "Morning brief" })).toBeTruthy();
  await choose("State", "Paused");
  await waitFor(() => expect(screen.queryByRole("link", { name: "Morning brief" })).toBeNull());
  expect(screen.getByText("Import")).toBeTruthy();
});

test("the log says of each due time what became of it and why, and opens its run", async () => {
  const of = { scheduleId: "trg_1", scheduleName: "Morning brief", agentName: "Analyst", timezone: "Europe/Berlin" };
  const missed = { ...FIRING, ...of, id: "fir_2", state: "missed", count: 3, runId: null, status: null };
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({
      firings: [
        { ...missed, reason: "The server was away." },
        { ...FIRING, ...of },
      ],
      nextCursor: null,
    });
  });
  render(
    <ShellProvider value={SHELL}>
      <FiringLogPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  const table = await screen.findByRole("table", { name: "Log of due times" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows[0]?.textContent).toMatch(/Missed 3 timesMorning briefAnalyst.*The server was away\./);
  expect(within(table).getByRole("link", { name: "Morning brief" }).getAttribute("href")).toBe("/traces/run_1");
  fireEvent.click(screen.getByRole("button", { name: /What to show$/ }));
  fireEvent.click(await screen.findByRole("option", { name: "Problems only" }));
  await waitFor(() => expect(asked.at(-1)).toContain("state=problems"));
});

test("what was typed stays through a reload, and Discard begins again with what is saved", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ asks: [], pastRuns: 1, next: [], timezone: "UTC", agents: [] }));
  const name = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
  edit({ schedule: SCHEDULE, start: { prompt: "", agentId: null } });
  fireEvent.change(name(), { target: { value: "Evening brief" } });
  cleanup();
  edit({ schedule: SCHEDULE, start: { prompt: "", agentId: null } });
  expect(name().value).toBe("Evening brief");
  expect(screen.getByText(/1 change$/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Discard" }));
  cleanup();
  edit({ schedule: SCHEDULE, start: { prompt: "", agentId: null } });
  expect(name().value).toBe("Morning brief");
});

test("a schedule that somebody else has saved meanwhile says so, and keeps their change", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, init?: RequestInit) => {
    if (init?.method === "PATCH") sent.push(JSON.parse(String(init.body)));
    if (init?.method === "PATCH") return Response.json(SCHEDULE);
    return Response.json({ asks: [], pastRuns: 1, next: [], timezone: "UTC", agents: [] });
  });
  edit({ schedule: SCHEDULE, start: { prompt: "", agentId: null } });
  fireEvent.change(screen.getByRole("textbox", { name: "Name" }), { target: { value: "Evening brief" } });
  cleanup();
  edit({ schedule: { ...SCHEDULE, grace: "1h" }, start: { prompt: "", agentId: null } });
  expect(await screen.findByText(/was changed elsewhere/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
  await waitFor(() => expect(sent).toEqual([{ name: "Evening brief" }]));
});
