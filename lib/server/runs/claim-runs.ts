import type { Database } from "../db";

/** A run that this process holds now, as its row stands after the claim. */
export type ClaimedRun = NonNullable<Awaited<ReturnType<Database["run"]["findUnique"]>>>;

interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/**
 * Takes up to `limit` queued runs whose thread has no other run going on and none waiting before them; users with
 * fewer running ones come first. One statement, so that two processes never take the same run.
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
    returning "id"`;
  return loadClaimed(database, await database.raw<{ id: string }>(sql, [lease.owner, lease.until, new Date()]));
}

/**
 * Takes over running runs that nobody holds any more: released ones and those whose lease has run out, or, with
 * `everybodyElses`, all that another owner holds (at the boot of the only process there can be).
 */
export async function claimAbandoned(
  database: Database,
  lease: Lease,
  whose: "expired" | "everybodyElses",
): Promise<ClaimedRun[]> {
  const abandoned = whose === "expired" ? `("leaseOwner" is null or "leaseUntil" < $3)` : "$3 = $3";
  const sql = `update "run" set "leaseOwner" = $1, "leaseUntil" = $2, "epoch" = "epoch" + 1, "segment" = "segment" + 1,
      "takeovers" = "takeovers" + (case when "leaseOwner" is null then 0 else 1 end)
    where "status" = 'running' and "leaseOwner" is distinct from $1 and ${abandoned}
    returning "id"`;
  return loadClaimed(database, await database.raw<{ id: string }>(sql, [lease.owner, lease.until, new Date()]));
}

async function loadClaimed(database: Database, claimed: readonly { id: string }[]): Promise<ClaimedRun[]> {
  if (claimed.length === 0) return [];
  return database.run.findMany({ where: { id: { in: claimed.map(({ id }) => id) } }, orderBy: { createdAt: "asc" } });
}

interface RenewedRun {
  readonly id: string;
  readonly cancelRequestedAt: string | null;
  readonly cancelledBy: string | null;
}

/** Prolongs every lease of `owner`; a run that is missing from the result is not its own any more. */
export async function renewLeases(database: Database, lease: Lease): Promise<RenewedRun[]> {
  const sql = `update "run" set "leaseUntil" = $2 where "leaseOwner" = $1 and "status" = 'running'
    returning "id", "cancelRequestedAt", "cancelledBy"`;
  return database.raw<RenewedRun>(sql, [lease.owner, lease.until]);
}

/** Lets go of everything: the next process takes it over without counting it as a crash. */
export async function releaseLeases(database: Database, owner: string): Promise<void> {
  const sql = `update "run" set "leaseOwner" = null, "leaseUntil" = null where "leaseOwner" = $1 and "status" = 'running'`;
  await database.raw(sql, [owner], "full");
}
