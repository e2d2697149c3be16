// npm run bench:traces [-- --keep]: how long the trace list and a trace take with a million stored spans, on SQLite and
// on Postgres. `--keep` keeps the SQLite folder and prints it, for inspection with RINGMASTER_DATA_DIR.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { processServices } from "@/lib/server/wiring/services";
import { type CallWhatIf, WhatIfQuery } from "../../lib/schema/permissions/what-if";
import type { TraceFilters } from "../../lib/schema/traces/trace";
import type { Viewer } from "../../lib/schema/users/user";
import { onBothDatabases, ROUNDS, timeRounds } from "../on-both-databases";
import { startProvider } from "../scripted-provider";
import { measureBesideRuns } from "./beside-runs";
import { JUDGED, seedCalls } from "./seed-calls";
import { CALLS_PER_RUN } from "./seed-run-calls";
import { LONG_TRACE, RARE_WORD, RUNS, SPANS_PER_RUN, seedTraces } from "./seed-traces";
import { ADMIN, MEMBER, sideQueries } from "./side-queries";

const LIST_BUDGET_MS = 100;
const TRACE_BUDGET_MS = 150;
const ALERT_BUDGET_MS = 150;
const WHAT_IF_BUDGET_MS = 300;
/** How long everybody else waits beside it. */
const DELAY_BUDGET_MS = 30;

const DAY_MS = 86_400_000;

const LISTS: Readonly<Record<string, [Viewer, Partial<TraceFilters>]>> = {
  "all, as admin": [ADMIN, {}],
  "all, 200 a page": [ADMIN, { limit: 200 }],
  "own, as member": [MEMBER, {}],
  "admin's own": [ADMIN, { mine: true }],
  "one agent": [ADMIN, { agentId: "agent-3" }],
  "an agent without runs": [ADMIN, { agentId: "agent-none" }],
  failed: [ADMIN, { status: "failed" }],
  "failed, as member": [MEMBER, { status: "failed" }],
  "running or waiting (none)": [ADMIN, { status: "running,waiting" }],
  "last day": [ADMIN, { since: new Date(Date.now() - DAY_MS).toISOString() }],
  "a week, a month ago": [
    ADMIN,
    {
      since: new Date(Date.now() - 37 * DAY_MS).toISOString(),
      until: new Date(Date.now() - 30 * DAY_MS).toISOString(),
    },
  ],
  "one model": [ADMIN, { model: "google:gemini-3" }],
  "a model without calls": [ADMIN, { model: "none" }],
  "text in one of a thousand": [ADMIN, { q: RARE_WORD }],
  "text that is nowhere": [ADMIN, { q: "xyzzy" }],
  "text, as member": [MEMBER, { q: "xyzzy" }],
  "a run's id": [ADMIN, { q: "run012345" }],
  "by cost": [ADMIN, { sort: "cost" }],
  "by cost, as member": [MEMBER, { sort: "cost" }],
  "by tokens": [ADMIN, { sort: "tokens" }],
  "by tokens, last day": [ADMIN, { sort: "tokens", since: new Date(Date.now() - DAY_MS).toISOString() }],
  "by time worked": [ADMIN, { sort: "worked" }],
  "failed, one agent, last 30 days": [
    ADMIN,
    { status: "failed", agentId: "agent-3", since: new Date(Date.now() - 30 * DAY_MS).toISOString() },
  ],
};

/** Both `/api/traces` and `/agents/traces`: the page of rows, its JSON, and a page far down. */
async function measureLists() {
  const { listTraces } = await import("../../lib/server/traces/list/list-traces");
  const { toAgentTraces } = await import("../../lib/server/traces/to-agent-trace");
  const results = [];
  for (const [name, [who, filters]] of Object.entries(LISTS)) {
    const list = () => listTraces(processServices(), who, { limit: 50, ...filters });
    results.push(await time(name, LIST_BUDGET_MS, async () => JSON.stringify(await list())));
  }
  const agentList = async () =>
    toAgentTraces(processServices().database, (await listTraces(processServices(), ADMIN, { limit: 50 })).traces);
  results.push(await time("/agents/traces", LIST_BUDGET_MS, async () => JSON.stringify(await agentList())));
  const cursor = await cursorAfter(20, listTraces);
  const deep = () => listTraces(processServices(), ADMIN, { limit: 50, cursor });
  results.push(await time("the 21st page of 200", LIST_BUDGET_MS, async () => JSON.stringify(await deep())));
  return results;
}

async function cursorAfter(
  pages: number,
  listTraces: typeof import("../../lib/server/traces/list/list-traces").listTraces,
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    cursor = (await listTraces(processServices(), ADMIN, { limit: 200, cursor })).nextCursor ?? undefined;
  }
  return cursor;
}

/** What stands beside the list, which on SQLite is read in a thread of its own. */
async function measureSideQueries() {
  const results = [];
  for (const { name, budget, ask } of await sideQueries()) {
    results.push(await time(name, budget, async () => JSON.stringify(await ask())));
  }
  return results;
}

/** What one alert takes each minute. */
async function measureAlerts() {
  const { measureAlert } = await import("../../lib/server/traces/alerts/measure-alert");
  const alert = { query: "", windowMinutes: DAY_MS / 60_000, armedAt: new Date(Date.now() - DAY_MS) };
  const results = [];
  for (const metric of ["error_rate", "p95_worked", "cost_per_day", "waiting"] as const) {
    const measure = () => measureAlert(processServices(), ADMIN, { ...alert, metric }, new Date());
    results.push(await time(`alert: ${metric}, a day`, ALERT_BUDGET_MS, async () => JSON.stringify(await measure())));
  }
  return results;
}

/** Rules like those of an agent that writes code. */
const TRIED_RULES = {
  enabled: true,
  mode: "accept_edits",
  deny: [
    { tool: "execute", args: { command: "rm -rf *" } },
    { tool: "Read", args: { path: "secrets/**" } },
  ],
  ask: [
    { tool: "execute", args: { command: "npm publish*" } },
    { tool: "Write", args: { file_path: "src/part-1/*" } },
  ],
  allow: [
    { tool: "execute", args: { command: "npm *" } },
    { tool: "edit_file", args: { path: "src/**" } },
    "mcp__github__*",
  ],
};

/** How long it takes to find out what other rules would have done, and how long that blocks the event loop. */
async function measureWhatIf() {
  const { whatIf } = await import("../../lib/server/traces/what-if/what-if");
  const query = WhatIfQuery.parse({ agentId: JUDGED.agentId, rules: TRIED_RULES });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const name = `what-if of ${JUDGED.calls} calls`;
  const measured = await time(name, WHAT_IF_BUDGET_MS, async () => {
    delay.enable();
    const found = (await whatIf(processServices(), ADMIN, query)) as CallWhatIf;
    delay.disable();
    if (found.calls !== JUDGED.calls) throw new Error(`${found.calls} calls were judged.`);
    return JSON.stringify(found);
  });
  const held = (percent: number) => Math.round(delay.percentile(percent) / 100_000) / 10;
  const loop = { name: `${name}: the event loop's delay`, budget: DELAY_BUDGET_MS, p50: held(50), p95: held(99) };
  return [measured, loop];
}

async function measureLongTrace() {
  const { getTrace } = await import("../../lib/server/traces/get-trace");
  const name = `trace of ${LONG_TRACE.spans} spans`;
  return [
    await time(name, TRACE_BUDGET_MS, async () =>
      JSON.stringify(await getTrace(processServices(), ADMIN, LONG_TRACE.id, "light")),
    ),
  ];
}

async function time(name: string, budget: number, run: () => Promise<string>) {
  return { name, budget, ...(await timeRounds(run)) };
}

// A server of its own, which the processes of both databases ask.
const provider =
  process.env.RINGMASTER_BENCH_DATABASE === undefined ? await startProvider({ steps: 25, tokens: 10 }) : null;
if (provider) {
  const { baseUrl, pacedUrl } = provider;
  const addresses = { OPENAI_COMPATIBLE_BASE_URL: baseUrl, OLLAMA_BASE_URL: pacedUrl };
  Object.assign(process.env, addresses, { RINGMASTER_MAX_RUNS_PER_USER: "1000" });
}
await onBothDatabases(async (database) => {
  await seedTraces(database);
  await seedCalls(database);
  const rows = [
    ...(await measureLists()),
    ...(await measureSideQueries()),
    ...(await measureAlerts()),
    ...(await measureLongTrace()),
    ...(await measureWhatIf()),
    ...(await measureBesideRuns(database)),
  ];
  console.log(
    `${database.dialect.provider}: ${RUNS} runs with ${RUNS * SPANS_PER_RUN} spans and ${RUNS * CALLS_PER_RUN} calls (ms, ${ROUNDS} times)`,
  );
  console.table(Object.fromEntries(rows.map(({ name, p50, p95, budget }) => [name, { p50, p95, budget }])));
  return rows.every((row) => row.p95 < row.budget);
});
provider?.stop();
