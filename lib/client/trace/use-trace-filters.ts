"use client";
import {
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useEffect, useMemo } from "react";
import { z } from "zod";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { RunOriginKind, RunStatus } from "@/lib/schema/runs/run";
import { TRACE_ORDERS } from "@/lib/schema/traces/trace";
import { TRACE_COLUMNS } from "./list/list-columns";
import type { TraceListFilters } from "./trace-queries";

export const PERIODS = [
  { id: "all", name: "All time", ms: null },
  { id: "1h", name: "Last hour", ms: 3_600_000 },
  { id: "24h", name: "Last 24 hours", ms: 86_400_000 },
  { id: "7d", name: "Last 7 days", ms: 7 * 86_400_000 },
  { id: "30d", name: "Last 30 days", ms: 30 * 86_400_000 },
] as const;

const PERIOD_IDS = PERIODS.map((period) => period.id);

const texts = () => parseAsArrayOf(parseAsString).withDefault([]);

const FILTERS = {
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(RunStatus.options)).withDefault([]),
  agent: texts(),
  tool: texts(),
  toolFailed: texts(),
  error: texts(),
  version: texts(),
  model: texts(),
  person: texts(),
  decision: texts(),
  notes: texts(),
  score: texts(),
  hasError: parseAsBoolean.withDefault(false),
  /** In dollars; in ms. */
  minCost: parseAsFloat,
  minWorked: parseAsInteger,
  problemId: parseAsString.withDefault(""),
  period: parseAsStringLiteral(PERIOD_IDS).withDefault("all"),
  /** One day in this browser's time zone, `2026-11-23`; it replaces the period. */
  day: parseAsString.withDefault(""),
  /** ISO 8601: what the charts are brushed to, within the period or day; `from` alone has no end. */
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  origin: parseAsArrayOf(parseAsStringLiteral(RunOriginKind.options)).withDefault([]),
  mine: parseAsBoolean.withDefault(false),
};

/** How the list is shown: clearing the filters leaves it. */
const SHOWN = {
  sort: parseAsStringLiteral(TRACE_ORDERS).withDefault("started"),
  columns: parseAsArrayOf(parseAsStringLiteral(TRACE_COLUMNS)),
  live: parseAsBoolean.withDefault(true),
  /** The run that is open beside the list. */
  peek: parseAsString,
};

const URL_STATE = { ...FILTERS, ...SHOWN };
const NO_FILTERS = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, null]));

const toAddress = createSerializer(URL_STATE);

/** The list with these filters. */
export function listHref(url: TraceFilterState["url"]): string {
  return toAddress("/traces", url);
}

/** What a saved view keeps of the address: its query string without `?`. */
export function viewQuery({ peek: _, live: __, ...url }: TraceFilterState["url"]): string {
  return toAddress(url).replace(/^\?/u, "");
}

const Address = z.string().startsWith("/traces");

/** The list's last address in this tab, with its filters: the way back from a trace leads there. */
export function useListAddress() {
  return useRemembered("list of traces", Address);
}

/** The list's filters, all of them in the URL. */
export function useTraceFilters() {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const listAddress = useListAddress();
  const address = toAddress("/traces", url);
  useEffect(() => {
    if (listAddress.value !== address) listAddress.set(address);
  }, [listAddress, address]);
  const day = dayBounds(url.day);
  const brush = brushOf(url);
  /** Without an end. */
  const startedFrom = brush === null ? timeOf(url.from) : null;
  const start = useMemo(() => periodStart(url.period), [url.period]);
  const { agent, minCost, minWorked, status, origin, tool, toolFailed, error, version, model, person } = url;
  const { decision, score, notes } = url;
  const choices = {
    status,
    origin,
    tool,
    toolFailed,
    error,
    version,
    model,
    person,
    decision,
    score,
    notes,
    agentId: agent,
  };
  /** Without what the charts are brushed to, which they show in its surroundings. */
  const around: TraceListFilters = {
    ...joined(choices),
    q: url.q,
    since: latest(day?.since ?? start, startedFrom ?? ""),
    until: day?.until ?? "",
    mine: url.mine,
    hasError: url.hasError,
    minCostUsd: minCost,
    minWorkedMs: minWorked,
    problemId: url.problemId,
    sort: url.sort,
  };
  const filters = brush === null ? around : { ...around, ...brush };
  const chosenCount =
    Object.values(choices).reduce((sum, values) => sum + values.length, 0) +
    [url.hasError, minCost !== null, minWorked !== null, url.problemId !== ""].filter(Boolean).length;
  const isFiltered = [
    chosenCount > 0,
    url.q !== "",
    url.period !== "all",
    url.day !== "",
    url.mine,
    brush !== null || startedFrom !== null,
  ].includes(true);
  return { url, setUrl, filters, around, brush, startedFrom, chosenCount, isFiltered, clear: () => setUrl(NO_FILTERS) };
}

/** Sorted, so that the same choice is the same list. */
function joined<Name extends string>(choices: Readonly<Record<Name, readonly string[]>>): Record<Name, string> {
  const entries = Object.entries<readonly string[]>(choices).map(([name, values]) => [
    name,
    values.toSorted().join(","),
  ]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

export type TraceFilterState = ReturnType<typeof useTraceFilters>;

/** A period (ISO 8601); `until` is exclusive. */
export interface Brush {
  readonly since: string;
  readonly until: string;
}

/** ISO 8601, with milliseconds; null for what is no time. */
function timeOf(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}

/** Null unless the address has both times, in their order. */
function brushOf({ from, to }: { readonly from: string; readonly to: string }): Brush | null {
  const [since, until] = [new Date(from), new Date(to)];
  return since < until ? { since: since.toISOString(), until: until.toISOString() } : null;
}

function dayBounds(day: string) {
  const start = new Date(`${day}T00:00:00`);
  if (day === "" || Number.isNaN(start.getTime())) return null;
  const end = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
  return { since: start.toISOString(), until: end.toISOString() };
}

/** To the minute, so that the page requests one list and not a new one with each render. */
function periodStart(id: string): string {
  const ms = PERIODS.find((period) => period.id === id)?.ms ?? null;
  if (ms === null) return "";
  return new Date(Math.floor((serverNowMs() - ms) / 60_000) * 60_000).toISOString();
}
