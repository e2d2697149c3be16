import { processServices } from "@/lib/server/wiring/services";
import type { DifferenceQuery } from "../../lib/schema/traces/difference";
import type { FacetQuery, TraceFilters } from "../../lib/schema/traces/trace";
import type { Viewer } from "../../lib/schema/users/user";
import { testViewer } from "../../lib/testing/fixtures/test-viewer";

const DAY_MS = 86_400_000;
export const ADMIN = testViewer("u1", "admin");
export const MEMBER = testViewer("u2", "member");
const MONTH = { since: new Date(Date.now() - 30 * DAY_MS).toISOString() };
const YESTERDAY = { since: new Date(Date.now() - DAY_MS).toISOString() };

/** Something the list's page asks for, and how long it may take at the 95th percentile, in ms. */
export interface SideQuery {
  readonly name: string;
  readonly budget: number;
  ask(): Promise<unknown>;
}

/** What the list's page asks for beside its rows. */
export async function sideQueries(): Promise<SideQuery[]> {
  return [
    ...(await facets()),
    ...(await charts()),
    ...(await differences()),
    ...(await problems()),
    ...(await percentiles()),
  ];
}

/** What facets and charts are asked for: a chart's filters are those of a facet. */
const ASKED: Readonly<Record<string, [Viewer, FacetQuery]>> = {
  "30 days": [ADMIN, MONTH],
  "30 days, as member": [MEMBER, MONTH],
  "30 days, failed, one agent": [ADMIN, { ...MONTH, status: "failed", agentId: "agent-3" }],
  "30 days, one tool": [ADMIN, { ...MONTH, tool: "execute" }],
  "all time": [ADMIN, {}],
};

async function facets(): Promise<SideQuery[]> {
  const { listFacets } = await import("../../lib/server/traces/list/list-facets");
  return queriesOf("facets", (viewer, query) => listFacets(processServices(), viewer, query));
}

async function charts(): Promise<SideQuery[]> {
  const { chartTraces } = await import("../../lib/server/traces/charts/trace-charts");
  return queriesOf("charts", (viewer, further) => chartTraces(processServices(), viewer, further));
}

function queriesOf(what: string, ask: (who: Viewer, query: FacetQuery) => Promise<unknown>): SideQuery[] {
  return Object.entries(ASKED).map(([name, [who, query]]) => ({
    name: `${what}, ${name}`,
    budget: 150,
    ask: () => ask(who, query),
  }));
}

/** What is different about a part of the runs, against the others of 30 days. */
async function differences(): Promise<SideQuery[]> {
  const { findDifferences } = await import("../../lib/server/traces/difference/difference");
  const asked: Readonly<Record<string, [Viewer, DifferenceQuery]>> = {
    "difference: failed, 30 days": [ADMIN, selected({ ...MONTH, status: "failed" }, MONTH)],
    "difference: one agent, 30 days": [ADMIN, selected({ ...MONTH, agentId: "agent-3" }, MONTH)],
    "difference: a tool that failed, 30 days": [ADMIN, selected({ ...MONTH, toolFailed: "web_fetch" }, MONTH)],
    "difference: the last day, 30 days": [ADMIN, selected(YESTERDAY, MONTH)],
    "difference: failed, as member": [MEMBER, selected({ ...MONTH, status: "failed" }, MONTH)],
  };
  return Object.entries(asked).map(([name, [who, query]]) => ({
    name,
    budget: 300,
    ask: () => findDifferences(processServices(), who, query),
  }));
}

function selected(filters: Partial<TraceFilters>, base: Partial<TraceFilters>): DifferenceQuery {
  return { selection: { filters }, base: { filters: base } };
}

async function problems(): Promise<SideQuery[]> {
  const { listProblems } = await import("../../lib/server/traces/problems/problems");
  const asked: Readonly<Record<string, Viewer>> = { problems: ADMIN, "problems, as member": MEMBER };
  return Object.entries(asked).map(([name, who]) => ({
    name,
    budget: 150,
    ask: () => listProblems(processServices(), who, {}),
  }));
}

/** Where a call of the newest run stands. */
async function percentiles(): Promise<SideQuery[]> {
  const { selectCallTimes } = await import("../../lib/server/platform/db/queries/calls/call-times");
  const { MOST_CALLS } = await import("../../lib/schema/traces/calls/call-percentile");
  const scope = { agentId: "agent-3", tool: "execute", since: new Date(Date.now() - 30 * DAY_MS) };
  const ask = () => selectCallTimes(processServices().database, scope, { tookMs: 400, most: MOST_CALLS });
  return [{ name: "percentile of a call", budget: 100, ask }];
}
