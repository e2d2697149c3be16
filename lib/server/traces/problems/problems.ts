import "server-only";
import { createHash } from "node:crypto";
import { AppError } from "@/lib/schema/app-error";
import { fold } from "@/lib/schema/fold";
import {
  type Problem,
  ProblemKind,
  type ProblemList,
  type ProblemQuery,
  ProblemState,
} from "@/lib/schema/traces/problem";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import type { Database } from "@/lib/server/platform/db/database";
import {
  bucketsOf,
  keepProblems,
  type ProblemBucket,
  type ProblemScope,
  type ProblemTotals,
  selectProblemTimes,
  selectProblemTotals,
} from "@/lib/server/platform/db/queries/calls/problems";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { localDay, startOfPeriod } from "@/lib/server/platform/time/local-day";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { flushSpans } from "@/lib/server/traces/recorder";

export const PROBLEMS_EVERY_MS = 10 * 60_000;

const DAY_MS = 86_400_000;
const DAYS = 28;
const RECENT_DAYS = 7;
/** A tool's error is a problem once it has happened so often in the recent days. */
const MIN_TOOL_ERRORS = 3;
const MAX_PROBLEMS = 200;
const MAX_FOUND = 5_000;
const SAMPLES = 5;

type ProblemRow = NonNullable<Awaited<ReturnType<Database["problem"]["findUnique"]>>>;

/**
 * Failures that are alike, of the last 28 days: administrators see everybody's, others those of their own runs, with
 * numbers from those alone. Titles are masked.
 */
export async function listProblems(
  services: Services,
  viewer: Viewer,
  { agentId, state, q = "" }: ProblemQuery,
): Promise<ProblemList> {
  const { database } = services;
  const zone = timeZoneOfUser(viewer.id) ?? serverTimeZone();
  const days = latestDays(new Date(), zone);
  const isAdmin = hasAdminScope(viewer);
  // What failed in a run that the viewer has just seen end may still wait to be stored.
  await flushSpans();
  const scope: ProblemScope = {
    since: startOfPeriod("day", new Date(Date.now() - (DAYS - 1) * DAY_MS), zone),
    ...(isAdmin ? {} : { ownerId: viewer.id }),
    reach: viewer.reach,
  };
  const found = (await selectProblemTotals(database, scope, { recently: recently(), limit: MAX_FOUND }))
    .filter(isProblem)
    .filter((totals) => agentId === undefined || totals.agentId === agentId)
    .map((totals) => ({ id: problemId(totals), totals }));
  const rows = await database.problem.findMany({ where: { id: { in: found.map(({ id }) => id) } } });
  const known = new Map(rows.map((row) => [row.id, row]));
  const times = new Map((await selectProblemTimes(database, scope)).map((row) => [keyOf(row), row]));
  const dayOf = dayIn(zone);
  const problems = found.map(({ id, totals }): Problem => {
    const row = known.get(id) ?? null;
    const ofProblem = times.get(keyOf(totals));
    const buckets = ofProblem ? bucketsOf(ofProblem) : [];
    const kept = isAdmin ? row : null;
    return {
      id,
      title: maskText(titleOf(totals.key)),
      kind: kindOf(totals.key),
      agentId: totals.agentId,
      tool: totals.tool,
      firstVersion: lower(kept?.firstVersion ?? null, totals.firstVersion),
      firstSeenAt: earlier(kept?.firstSeenAt ?? null, totals.firstSeenAt),
      lastSeenAt: new Date(totals.lastSeenAt).toISOString(),
      runs: totals.runs,
      people: totals.people,
      perDay: perDay(buckets, days, dayOf),
      state: stateOf(row, totals),
      resolvedInVersion: row?.resolvedInVersion ?? null,
      sampleRunIds: [...new Set(buckets.map(({ lastRunId }) => lastRunId).toReversed())].slice(0, SAMPLES),
    };
  });
  const wanted = fold(q);
  return {
    problems: problems
      .filter((problem) => state === undefined || problem.state === state)
      .filter(({ title, tool }) => fold(`${title} ${tool ?? ""}`).includes(wanted))
      .slice(0, MAX_PROBLEMS),
  };
}

/**
 * Resolves a problem in its agent's current version, ignores it until its runs have doubled, or opens it again. The
 * caller is an administrator. Throws `not_found`.
 */
export async function changeProblem(
  services: Services,
  viewer: Viewer,
  id: string,
  state: ProblemState,
): Promise<void> {
  const { database } = services;
  const scope = { since: new Date(Date.now() - DAYS * DAY_MS), reach: viewer.reach };
  const all = (await selectProblemTotals(database, scope, { recently: recently(), limit: MAX_FOUND })).filter(
    isProblem,
  );
  const totals = all.find((one) => problemId(one) === id);
  if (!totals) throw new AppError("not_found", "There is no such problem.");
  await keepProblems(database, [foundProblem(totals)]);
  const { agentId, runs } = totals;
  const agent = await database.agent.findUnique({ where: { id: agentId }, select: { currentVersionId: true } });
  const version = await database.agentVersion.findUnique({ where: { id: agent?.currentVersionId ?? "" } });
  const data = {
    state,
    resolvedInVersion: state === "resolved" ? Math.max(version?.number ?? 0, totals.lastVersion) : null,
    ignoredRuns: state === "ignored" ? runs : null,
  };
  await database.$transaction([
    database.problem.update({ where: { id }, data, select: { id: true } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "problem.changed",
      target: `problem:${id}`,
      details: { agentId, state },
    }),
  ]);
}

/**
 * Which failures a problem is, for the list of its runs; null if there is none. What was not collected yet is looked up
 * among the viewer's.
 */
export async function findProblem(database: Database, viewer: Viewer, id: string) {
  const since = new Date(Date.now() - DAYS * DAY_MS);
  const kept = await database.problem.findUnique({ where: { id }, select: { agentId: true, key: true } });
  if (kept) return { ...kept, since };
  const scope = { since, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), reach: viewer.reach };
  const totals = await selectProblemTotals(database, scope, { recently: recently(), limit: MAX_FOUND });
  const found = totals.find((one) => problemId(one) === id);
  return found ? { agentId: found.agentId, key: found.key, since } : null;
}

/**
 * Keeps since when the problems of the last day are known, which outlives their traces. It looks at the whole day each
 * time, so that a process that ended before it had stored them leaves no gap.
 */
export async function collectProblems(db: Database): Promise<void> {
  const scope = { since: new Date(Date.now() - DAY_MS) };
  const found = await selectProblemTotals(db, scope, { recently: recently(), limit: MAX_FOUND });
  await keepProblems(db, found.map(foundProblem));
}

function foundProblem(totals: ProblemTotals) {
  const { agentId, key, tool, firstVersion, firstSeenAt, lastSeenAt } = totals;
  return { id: problemId(totals), agentId, key, kind: kindOf(key), tool, firstVersion, firstSeenAt, lastSeenAt };
}

function recently(): Date {
  return new Date(Date.now() - RECENT_DAYS * DAY_MS);
}

/** The same failures have the same id in every process, before anything of them is stored. */
function problemId(problem: { readonly agentId: string; readonly key: string }): string {
  return `prb_${createHash("sha256").update(keyOf(problem)).digest("hex").slice(0, 24)}`;
}

function keyOf({ agentId, key }: { readonly agentId: string; readonly key: string }): string {
  return `${agentId}\n${key}`;
}

function kindOf(key: string): ProblemKind {
  return ProblemKind.parse(key.split(" ", 1)[0]);
}

function isProblem({ key, recent }: ProblemTotals): boolean {
  return kindOf(key) !== "tool_error" || recent >= MIN_TOOL_ERRORS;
}

function titleOf(key: string): string {
  const [kind, first = "", ...rest] = key.split(" ");
  const words = rest.join(" ");
  switch (kind) {
    case "tool_error":
      return `${first} fails: ${words}`;
    case "denied":
      return `${first} was not allowed`;
    case "thumb_down":
      return "People rated replies as bad";
    case "failed":
      return words === "" ? `Runs failed: ${first}` : words;
    default:
      return [first, words].join(" ");
  }
}

function stateOf(row: ProblemRow | null, { lastVersion, runs }: ProblemTotals): ProblemState {
  if (row === null) return "open";
  const state = ProblemState.parse(row.state);
  const isBack = state === "resolved" && lastVersion > (row.resolvedInVersion ?? 0);
  const hasDoubled = state === "ignored" && runs >= 2 * (row.ignoredRuns ?? 0);
  return isBack || hasDoubled ? "open" : state;
}

function lower(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function earlier(kept: Date | null, found: string): string {
  return new Date(Math.min(kept?.getTime() ?? Number.POSITIVE_INFINITY, new Date(found).getTime())).toISOString();
}

/** The last 28 days as `YYYY-MM-DD`, oldest first. */
function latestDays(now: Date, zone: string): string[] {
  const noonMs = Date.parse(`${localDay(now, zone)}T12:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(noonMs - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function perDay(buckets: readonly ProblemBucket[], days: readonly string[], dayOf: (at: string) => string): number[] {
  const runs = new Map<string, number>();
  for (const { at, runs: more } of buckets) {
    const day = dayOf(at);
    runs.set(day, (runs.get(day) ?? 0) + more);
  }
  return days.map((day) => runs.get(day) ?? 0);
}

/** The day of a bucket in the time zone. Formatting a date takes long, so only the moment at which a day of UTC divides is looked up. */
function dayIn(zone: string): (at: string) => string {
  const known = new Map<string, { readonly early: string; readonly late: string; readonly lateFrom: string }>();
  const partOf = (date: string) => {
    const last = new Date(`${date}T23:59:59Z`);
    return {
      early: localDay(new Date(`${date}T00:00:00Z`), zone),
      late: localDay(last, zone),
      lateFrom: startOfPeriod("day", last, zone).toISOString().slice(0, MINUTE_CHARS),
    };
  };
  return (at) => {
    const date = at.slice(0, DATE_CHARS);
    const part = known.get(date) ?? partOf(date);
    known.set(date, part);
    return `${at}0` < part.lateFrom ? part.early : part.late;
  };
}

/** Of an ISO text. */
const DATE_CHARS = 10;
const MINUTE_CHARS = 16;
