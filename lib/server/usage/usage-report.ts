import "server-only";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { UsageDimension, UsageQuery, UsageReport, UsageRow } from "@/lib/schema/usage/usage-report";
import type { Database } from "@/lib/server/platform/db/database";
import { type PeriodRun, type RunSource, selectPeriodRuns } from "@/lib/server/platform/db/queries/usage/period-runs";
import { agentNames } from "@/lib/server/threads/thread-row";
import { clockOf } from "./day-of";
import { UsageSum } from "./usage-figures";

const DEFAULT_PERIOD_MS = 30 * 86_400_000;
/** Few enough that the server answers other requests in between. */
const RUNS_PER_PAGE = 1_000;

/**
 * The usage of the runs that began in a period, by one or two dimensions, in their order. A run includes its subagents'
 * usage, under the agent, model and person that it was started with.
 */
export async function reportUsage(database: Database, query: Omit<UsageQuery, "format">): Promise<UsageReport> {
  const { from, to, by, timezone, replays } = query;
  const until = to === undefined ? new Date() : new Date(to);
  const since = from === undefined ? new Date(until.getTime() - DEFAULT_PERIOD_MS) : new Date(from);
  const keysOf = keyMaker(by, timezone, by.includes("group") ? await groupsOfPeople(database) : new Map());
  const total = new UsageSum();
  const groups = new Map<string, { readonly key: RowKey; readonly sum: UsageSum }>();
  for await (const run of runsBetween(database, since, until)) {
    if (replays === "exclude" && run.origin === "replay") continue;
    for (const key of keysOf(run)) {
      const id = JSON.stringify(key);
      const group = groups.get(id) ?? { key, sum: new UsageSum() };
      groups.set(id, group);
      group.sum.add(run);
    }
    total.add(run);
  }
  const rows = [...groups.values()].map(({ key, sum }): UsageRow => ({ ...key, ...sum.figures }));
  return {
    from: since.toISOString(),
    to: until.toISOString(),
    rows: (await withNames(database, rows)).sort(inOrderOf(by)),
    total: total.figures,
  };
}

async function* runsBetween(database: Database, from: Date, to: Date): AsyncIterable<PeriodRun> {
  yield* runsOf(database, "run", from, to);
  yield* runsOf(database, "purged_run", from, to);
}

async function* runsOf(database: Database, source: RunSource, from: Date, to: Date): AsyncIterable<PeriodRun> {
  let after: PeriodRun | null = null;
  for (;;) {
    const page: PeriodRun[] = await selectPeriodRuns(database, source, { from, to, after, limit: RUNS_PER_PAGE });
    yield* page;
    after = page.at(-1) ?? null;
    if (page.length < RUNS_PER_PAGE) return;
    await nextTurn();
  }
}

type RowKey = Pick<UsageRow, UsageDimension>;

/** The groups of each person who is in any, as they are now. */
async function groupsOfPeople(database: Database): Promise<Map<string, string[]>> {
  const rows = await database.groupMember.findMany({ select: { groupId: true, userId: true } });
  const ofPerson = Map.groupBy(rows, ({ userId }) => userId);
  return new Map([...ofPerson].map(([userId, own]) => [userId, own.map(({ groupId }) => groupId)]));
}

const NO_GROUP = [null];

/** A run has one row, or one for each of its owner's groups. */
function keyMaker(
  by: readonly UsageDimension[],
  timezone: string,
  groupsOf: ReadonlyMap<string, readonly string[]>,
): (run: PeriodRun) => RowKey[] {
  const clock = clockOf(timezone);
  const isOfAgent = by.includes("agent");
  const value: { readonly [Name in Exclude<UsageDimension, "group">]: (run: PeriodRun) => RowKey[Name] } = {
    day: ({ createdAt }) => clock(createdAt).day,
    hour: ({ createdAt }) => clock(createdAt).hour,
    agent: ({ agentId }) => agentId,
    version: ({ agentId, versionNumber }) => (isOfAgent ? versionNumber : `${agentId}@${versionNumber}`),
    user: ({ ownerId }) => ownerId,
    model: ({ model }) => model,
    key: ({ apiKeyId }) => apiKeyId,
    origin: ({ origin }) => origin,
  };
  const keyOf = (run: PeriodRun, group: string | null): RowKey =>
    Object.fromEntries(by.map((name) => [name, name === "group" ? group : value[name](run)]));
  const isByGroup = by.includes("group");
  return (run) => (isByGroup ? (groupsOf.get(run.ownerId) ?? NO_GROUP) : NO_GROUP).map((group) => keyOf(run, group));
}

async function withNames(database: Database, rows: readonly UsageRow[]): Promise<UsageRow[]> {
  const [agents, users, keys, groups] = await Promise.all([
    agentNames(database, [...new Set(rows.flatMap(({ agent }) => agent ?? []))]),
    database.user.findMany({ where: { id: { in: idsOf(rows, "user") } }, select: { id: true, name: true } }),
    database.apiKey.findMany({ where: { id: { in: idsOf(rows, "key") } }, select: { id: true, name: true } }),
    database.group.findMany({ where: { id: { in: idsOf(rows, "group") } }, select: { id: true, name: true } }),
  ]);
  const userNames = new Map(users.map(({ id, name }) => [id, name]));
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]));
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    ...(row.agent === undefined ? {} : { agentName: agents.get(row.agent) ?? row.agent }),
    ...(row.user === undefined ? {} : { userName: userNames.get(row.user) ?? row.user }),
    ...(row.group === undefined
      ? {}
      : { groupName: row.group === null ? null : (groupNames.get(row.group) ?? row.group) }),
    ...(row.key === undefined ? {} : { keyName: row.key === null ? null : (keyNames.get(row.key) ?? row.key) }),
  }));
}

function idsOf(rows: readonly UsageRow[], name: "user" | "key" | "group"): string[] {
  return [...new Set(rows.flatMap((row) => row[name] ?? []))];
}

function inOrderOf(by: readonly UsageDimension[]): (left: UsageRow, right: UsageRow) => number {
  return (left, right) => {
    for (const name of by) {
      const order = compare(left[name] ?? "", right[name] ?? "");
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [one, other] = [String(left), String(right)];
  return one < other ? -1 : Number(one > other);
}
