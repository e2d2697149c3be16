import type { Database } from "@/lib/server/platform/db/database";
import { parseTimestamp, sqlJson } from "@/lib/server/platform/db/dialect";
import type { SqlRow } from "@/lib/server/platform/db/sqlite-writer";

/** A run that this process now holds, with its row after the claim. */
export type ClaimedRun = NonNullable<Awaited<ReturnType<Database["run"]["findUnique"]>>>;

interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/**
 * Claims up to `limit` queued runs whose thread has no other running run and none waiting before them; users with
 * fewer running ones come first. One statement, so that two processes never claim the same run.
 */
export async function claimQueued(database: Database, lease: Lease, limit: number): Promise<ClaimedRun[]> {
  const sql = `update "run" set "status" = 'running', "leaseOwner" = $1, "leaseUntil" = $2, "epoch" = "epoch" + 1,
      "startedAt" = coalesce("startedAt", $3)
    where "status" = 'queued' and "id" in (
      select q."id" from "run" q
      where q."status" = 'queued' and not exists (
        select 1 from "run" o where o."threadId" = q."threadId" and o."id" <> q."id" and (
          o."status" in ('running', 'waiting') or (o."status" = 'queued' and
            (o."createdAt" < q."createdAt" or (o."createdAt" = q."createdAt" and o."id" < q."id")))))
      order by (select count(*) from "run" r where r."ownerId" = q."ownerId" and r."status" = 'running'),
        q."createdAt", q."id"
      limit ${Math.max(0, Math.floor(limit))})
    returning *`;
  return toRuns(await database.raw(sql, [lease.owner, lease.until, new Date()]));
}

/**
 * Takes over running runs that nobody holds any more: released ones and those whose lease has expired, or, with
 * `everybodyElses`, all that another owner holds (when the only possible process boots). `held` are those that the
 * owner is executing; any other of its own is one whose claim it never heard of, or that it had to give up.
 */
export async function claimAbandoned(
  database: Database,
  lease: Lease,
  whose: "expired" | "everybodyElses",
  held: readonly string[] = [],
): Promise<ClaimedRun[]> {
  const abandoned = whose === "expired" ? `("leaseOwner" is null or "leaseUntil" < $3)` : "$3 = $3";
  const sql = `update "run" set "leaseOwner" = $1, "leaseUntil" = $2, "epoch" = "epoch" + 1, "segment" = "segment" + 1,
      "takeovers" = "takeovers" + (case when "leaseOwner" is null then 0 else 1 end)
    where "status" = 'running' and "id" not in (select h."id" from ${idRows(database, "$4")}) and ${abandoned}
    returning *`;
  return toRuns(await database.raw(sql, [lease.owner, lease.until, new Date(), idList(held)]));
}

/** The run's current row; null when there is none. The caller has checked who may see it. */
export async function loadRun(database: Database, runId: string): Promise<ClaimedRun | null> {
  const [run] = toRuns(await database.raw(`select * from "run" where "id" = $1`, [runId]));
  return run ?? null;
}

const DATES = ["createdAt", "startedAt", "endedAt", "waitingSince", "leaseUntil", "cancelRequestedAt"];
const FLAGS = ["isInline", "isBackground", "isReported"];

/** Raw rows with every column as Prisma gives them, oldest first: a test compares the two. */
function toRuns(rows: readonly SqlRow[]): ClaimedRun[] {
  const runs = rows.map((row) => {
    const dates = DATES.map((name) => [name, parseTimestamp(row[name] as string | null)]);
    const flags = FLAGS.map((name) => [name, Boolean(row[name])]);
    return { ...row, ...Object.fromEntries([...dates, ...flags]) } as ClaimedRun;
  });
  return runs.sort(
    (left, right) => left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1),
  );
}

interface RenewedRun {
  readonly id: string;
  readonly cancelRequestedAt: string | null;
  readonly cancelledBy: string | null;
}

/** Extends the owner's leases of the runs `held`; one that is missing from the result no longer belongs to it. */
export async function renewLeases(database: Database, lease: Lease, held: readonly string[]): Promise<RenewedRun[]> {
  const sql = `update "run" set "leaseUntil" = $2 where "leaseOwner" = $1 and "status" = 'running'
    and "id" in (select h."id" from ${idRows(database, "$3")}) returning "id", "cancelRequestedAt", "cancelledBy"`;
  return database.raw<RenewedRun>(sql, [lease.owner, lease.until, idList(held)]);
}

function idRows({ dialect }: Database, parameter: string): string {
  return dialect.rows("h", { id: "text" }, parameter);
}

function idList(ids: readonly string[]): string {
  return sqlJson(ids.map((id) => ({ id })));
}

interface WaitingRun {
  readonly segment: number;
  readonly waitedMs: number;
  readonly waitingSince: Date | null;
}

/**
 * The columns that turn a waiting run into a queued one, whose next segment begins; the time it waited does not
 * count.
 */
export function requeueColumns({ segment, waitedMs, waitingSince }: WaitingRun) {
  const waited = waitingSince === null ? 0 : Math.max(0, Date.now() - waitingSince.getTime());
  const status = "queued" as const;
  return { status, segment: segment + 1, waitingFor: null, waitingSince: null, waitedMs: waitedMs + waited };
}

/** Releases every lease: the next process takes over the runs without counting it as a crash. */
export async function releaseLeases(database: Database, owner: string): Promise<void> {
  const sql = `update "run" set "leaseOwner" = null, "leaseUntil" = null where "leaseOwner" = $1 and "status" = 'running'`;
  await database.raw(sql, [owner], "full");
}
