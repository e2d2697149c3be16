import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { Heartbeat, HeartbeatRun, OfferedHeartbeat } from "@/lib/schema/triggers/heartbeat";
import { withQueries } from "@/lib/testing/react/with-queries";
import { HeartbeatsPage } from "./heartbeats-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = {
  viewer: { id: "u1", scopes: ["read", "chat"] },
  go: vi.fn(),
  setPageKeys: vi.fn(),
} as unknown as Shell;

const BEAT: HeartbeatRun = {
  id: "fir_1",
  dueAt: "2026-11-23T08:00:00.000Z",
  state: "started",
  reason: null,
  runId: "run_1",
  count: 1,
  threadId: "th_1",
  status: "completed",
  costUsd: 0.009,
  failedCalls: 0,
  startedAt: null,
  endedAt: null,
  stoppedBy: null,
  said: null,
  pauseMs: 1_800_000,
};
const SKIPPED: Partial<HeartbeatRun> = {
  state: "skipped",
  stoppedBy: "file",
  reason: "HEARTBEAT.md names nothing to do.",
  runId: null,
  threadId: null,
  status: null,
  costUsd: null,
};

const HEARTBEAT: Heartbeat = {
  id: "hb_1",
  agentId: "ops",
  agentName: "Ops",
  agentVersion: 2,
  agentModel: "demo",
  ownerId: "u1",
  ownerName: "Ada",
  kind: "heartbeat",
  zone: "UTC",
  enabled: true,
  nextDueAt: "2099-11-24T08:00:00.000Z",
  every: "30m",
  active: null,
  timezone: "user",
  model: null,
  max_steps: 5,
  budget: { day_usd: 0.25 },
  when: [{ file: "inbox/**" }, { inbound: true }],
  idle_pause_days: 14,
  deliver: "last",
  on_ask: "deny",
  pause_after_failures: 3,
  no_history: true,
  compact: false,
  failures: 0,
  apiKey: null,
  pausedReason: null,
  pausedAt: null,
  pauseMs: 7_200_000,
  todayUsd: 0.008,
  todayBeats: 4,
  todayCalls: 1,
  month: {
    beats: 396,
    calls: 109,
    usd: 0.92,
    monthUsd: 0.92,
    everyBeatUsd: 6.05,
    stopped: { hours: 0, budget: 0, file: 12, when: 275 },
  },
  lookedAt: "2026-11-23T08:00:00.000Z",
  answers: [
    { isYes: true, words: "inbox/** changed" },
    { isYes: false, words: "its person has not written" },
  ],
  lastSaid: { text: "Two invoices came in.", at: BEAT.dueAt, runId: "run_2", threadId: "th_1", costUsd: 0.009 },
  firings: [
    { ...BEAT, ...SKIPPED },
    { ...BEAT, id: "fir_2", said: "Two invoices came in." },
    { ...BEAT, id: "fir_3" },
    { ...BEAT, id: "fir_4", status: "failed" },
  ],
  createdAt: "2026-11-01T00:00:00.000Z",
};
const OFFERED: OfferedHeartbeat = {
  agentId: "coder",
  agentName: "Coder",
  agentVersion: 12,
  every: "30m",
  dayUsd: 0.25,
};
const FILE = { content: "# Tasks\n- reviews", place: "workspace", version: 6, hasTasks: true, canEdit: true };

function open(heartbeats: readonly Heartbeat[], offered: readonly OfferedHeartbeat[] = []) {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (path: string, init: { method?: string; body?: string } = {}) => {
    const isChange = (init.method ?? "GET") !== "GET";
    if (isChange) sent.push(`${init.method} ${path} ${init.body ?? ""}`.trim());
    if (path.endsWith("/run")) return Response.json({ ...BEAT, ...SKIPPED }, { status: 201 });
    if (path.endsWith("/file")) {
      const content = init.body ? JSON.parse(init.body).content : FILE.content;
      return Response.json({ ...FILE, content, version: init.body ? 7 : 6 });
    }
    if (isChange) return Response.json(HEARTBEAT);
    return Response.json({ heartbeats, offered, nextCursor: null });
  });
  render(
    <ShellProvider value={SHELL}>
      <HeartbeatsPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  return sent;
}

test("without heartbeats the page says what one does, and offers the first", async () => {
  open([]);
  expect(await screen.findByText("No heartbeats yet")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Add heartbeat" })).toHaveLength(1);
});

test("an open heartbeat shows its beats by their kind, what they cost, and where they ended", async () => {
  open([HEARTBEAT]);
  const card = await screen.findByRole("article", { name: "Heartbeat of Ops" });
  for (const words of ["said something 1", "silent 1", "no model call 1", "failed 1"]) {
    expect(within(card).getByText(words)).toBeTruthy();
  }
  await waitFor(() => expect(card.textContent).toMatch(/next beat .*backed off to 2 h/));
  expect(card.textContent).toMatch(/4 beats1 with a model call.*\$0\.008.*of \$0\.25.*\$0\.92396 beats, 109 calls/);
  expect(card.textContent).toMatch(/\$6\.05every 30 min, a call each time/);
  const rows = within(await screen.findByRole("table", { name: "Before a model is called" })).getAllByRole("row");
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
    "1Active hoursall dayyesnone",
    "2Budget left$0.25 a dayyes, $0.24 leftnone",
    "3HEARTBEAT.mdhas more than commentsyes12",
    "4File changedinbox/**yesany yes from 4 to 5 continues",
    "5New messagefrom its person, since the last lookno275",
  ]);
  const panel = screen.getByRole("complementary", { name: "Heartbeat of Ops" });
  expect(panel.textContent).toMatch(/version 6.*- reviews.*Every30 min.*Quiet hoursnone.*Two invoices came in/s);
});

test("the strip is walked by the arrow keys, and a beat tells its check and cost", async () => {
  open([HEARTBEAT]);
  const strip = await screen.findByRole("toolbar", { name: /^Last 4 beats of Ops/ });
  const [first, ...others] = within(strip).getAllByRole("button");
  expect(others.at(-1)?.tabIndex).toBe(0);
  others.at(-1)?.focus();
  for (let step = 0; step < 3; step++) fireEvent.keyDown(document.activeElement ?? strip, { key: "ArrowLeft" });
  expect(document.activeElement).toBe(first);
  expect(first?.getAttribute("aria-label")).toBe("Mon 08:00: no model call");
  fireEvent.click(first ?? strip);
  const facts = await screen.findByRole("dialog", { name: "Beats of Ops" });
  expect(facts.textContent).toMatch(
    /No model call1 of 4.*HEARTBEAT\.md names nothing to do\..*30 min before it.*nothing/,
  );
  fireEvent.keyDown(within(facts).getByRole("group"), { key: "ArrowRight" });
  expect(facts.textContent).toContain("Two invoices came in.");
});

test("HEARTBEAT.md is edited in place, against the text that was shown", async () => {
  const sent = open([HEARTBEAT]);
  fireEvent.click(await screen.findByRole("button", { name: "Edit HEARTBEAT.md" }));
  const field = screen.getByRole("textbox", { name: "HEARTBEAT.md" });
  fireEvent.change(field, { target: { value: "- CI" } });
  fireEvent.keyDown(field, { key: "s", ctrlKey: true });
  await screen.findByText("version 7");
  expect(sent).toEqual([`PUT /api/heartbeats/hb_1/file {"content":"- CI","before":"# Tasks\\n- reviews"}`]);
});

test("keys beat, turn off and add; another person's can only be read", async () => {
  const sent = open([{ ...HEARTBEAT, id: "hb_2", agentName: "Theirs", ownerId: "u2", ownerName: "Bo" }, HEARTBEAT]);
  await screen.findByRole("switch", { name: "Ops beats" });
  fireEvent.keyDown(document.body, { key: "b" });
  await waitFor(() => expect(sent).toEqual(["POST /api/heartbeats/hb_1/run"]));
  fireEvent.keyDown(document.body, { key: "p" });
  await waitFor(() => expect(sent.at(-1)).toBe('PATCH /api/heartbeats/hb_1 {"enabled":false}'));
  const theirs = screen.getByRole("article", { name: "Heartbeat of Theirs" });
  fireEvent.click(within(theirs).getByRole("button", { expanded: false }));
  expect(screen.queryByRole("switch")).toBeNull();
  expect(screen.getByText("Only Bo reads this file.")).toBeTruthy();
  fireEvent.keyDown(document.body, { key: "b" });
  expect(sent).toHaveLength(2);
});

test("what an agent offers is a line with the one button that turns it on", async () => {
  const idle: Heartbeat = { ...HEARTBEAT, enabled: false, nextDueAt: null, pausedReason: "idle" };
  const sent = open([HEARTBEAT, { ...idle, id: "hb_3", agentName: "Analyst" }], [OFFERED]);
  const offer = await screen.findByRole("article", { name: "Heartbeat of Coder" });
  expect(offer.textContent).toContain("Turn on to let Coder look every 30 min, at most $0.25 a day.");
  const asleep = screen.getByRole("article", { name: "Heartbeat of Analyst" });
  await waitFor(() => expect(asleep.textContent).toContain("no message to it for 14 days; the next one wakes it"));
  expect(within(asleep).getByRole("button", { name: "Turn on Analyst" }).textContent).toBe("Wake");
  fireEvent.click(within(offer).getByRole("button", { name: "Turn on Coder" }));
  await waitFor(() => expect(sent).toEqual(['POST /api/heartbeats {"agentId":"coder"}']));
});
