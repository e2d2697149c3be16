import { type Expression, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { QUEUED, RUNNING, type RunRow, readRuns } from "@/lib/server/platform/db/queries/runs";
import { toIds } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/**
 * `owner` gets the segment; `isRetry` if the process that had the segment may have died, so that the run may be
 * running.
 */
interface Claim {
  readonly runId: string;
  readonly owner: string;
  readonly isRetry: boolean;
}

/**
 * Runs `q` whose turn it is: not held, and no other run of the thread is active or comes before; held ones come before
 * nothing.
 */
function heads() {
  return build
    .selectFrom("run as q")
    .where("q.heldAt", "is", null)
    .where((eb) => {
      const other = eb
        .selectFrom("run as o")
        .select("o.id")
        .whereRef("o.threadId", "=", "q.threadId")
        .where("o.endedAt", "is", null)
        .where("o.heldAt", "is", null)
        .whereRef("o.id", "<>", "q.id")
        .where((of) =>
          of.or([
            of("o.status", "<>", QUEUED),
            of.and([of("q.status", "=", QUEUED), of("o.position", "<", of.ref("q.position"))]),
          ]),
        );
      return eb.not(eb.exists(other));
    });
}

function claimable(isRetry: boolean, value: PlaceFor<{ runId: string }>) {
  return heads()
    .select("q.id")
    .where("q.id", "=", value("runId"))
    .where("q.status", "in", isRetry ? [QUEUED, RUNNING] : [QUEUED]);
}

/** An owner in `lostOwners`: no id contains a space. */
const inList = (owner: Expression<unknown>) => sql<string>`' ' || ${owner} || ' '`;

function withOwnerIf(isLost: Expression<SqlBool>) {
  const owners = sql.ref<string | null>("run.lostOwners");
  const more = sql`coalesce(${owners}, '') || ${inList(sql.ref("leaseOwner"))}`;
  return sql<string | null>`case when ${isLost} then ${more} else ${owners} end`;
}

/** The processes that seem to have died one after another while they executed the run. */
export function lostOwnersOf({ lostOwners }: Pick<RunRow, "lostOwners">): readonly string[] {
  return (lostOwners ?? "").split(" ").filter((owner) => owner !== "");
}

const claimedRun = (isRetry: boolean) =>
  hotStatements((value: PlaceFor<{ runId: string; owner: string; now: Date }>, { provider }) => {
    const free = claimable(isRetry, value);
    return build
      .updateTable("run")
      .set((eb) => {
        const oneIf = (...conditions: Expression<SqlBool>[]) =>
          eb.case().when(eb.and(conditions)).then(eb.lit(1)).else(eb.lit(0)).end();
        const wasRunning = eb("run.status", "=", RUNNING);
        // What the process itself has held did not end with a process.
        const wasElsewhere = eb.and([eb("leaseOwner", "is not", null), eb("leaseOwner", "<>", value("owner"))]);
        return {
          ...(isRetry ? { lostOwners: withOwnerIf(eb.and([wasRunning, wasElsewhere])) } : {}),
          status: RUNNING,
          leaseOwner: value("owner"),
          epoch: eb("epoch", "+", eb.lit(1)),
          segment: eb("segment", "+", oneIf(wasRunning)),
          takeovers: eb("takeovers", "+", oneIf(wasRunning, wasElsewhere)),
          startedAt: eb.fn.coalesce("startedAt", value("now")),
        };
      })
      .where("id", "=", provider === "postgresql" ? free.forNoKeyUpdate().skipLocked() : free)
      .returningAll();
  });
const firstClaim = claimedRun(false);
const repeatedClaim = claimedRun(true);

/**
 * Claims the run for its next segment and returns its row after the claim. Null if it is not this run's turn: it has
 * ended or waits, another run of its thread comes first, or another connection currently locks its row, which a claim
 * never waits for (`isClaimable` tells the two apart). A run found running is taken over: epoch and segment advance,
 * and it counts as a takeover unless its process had released it or is the one that claims it. That process is then
 * among the lost ones, until it says that it is alive (`letGoStatements`) or the run makes progress.
 */
export async function claimRun(database: Database, { runId, owner, isRetry }: Claim): Promise<RunRow | null> {
  const claim = isRetry ? repeatedClaim : firstClaim;
  const [run] = readRuns(await database.execute(claim(database.dialect, { runId, owner, now: new Date() })));
  return run ?? null;
}

/** Whether a claim would succeed now if nobody else had locked the run's row. */
export async function isClaimable(database: Database, { runId, isRetry }: Omit<Claim, "owner">): Promise<boolean> {
  return (await database.execute(claimable(isRetry, () => sql`${runId}`))).length > 0;
}

/** Queues a run held by the claim `epoch` again: the same segment, and no takeover. */
export async function requeueRun(database: Database, { id, epoch }: Pick<RunRow, "id" | "epoch">): Promise<void> {
  const requeued = updateRows("run", { id, epoch, status: "running" }, { status: "queued", leaseOwner: null });
  await database.execute(requeued, "full");
}

export type HeldRun = Pick<RunRow, "id" | "leaseOwner"> & { readonly epoch?: number };

/**
 * For a process that is alive and no longer executes the run: releases it, so that its next claim is no takeover. If
 * another process has taken it over already, this one is no longer among the lost ones. Without an epoch, for a claim
 * that may have been stored.
 */
export function letGoStatements({ id, leaseOwner, epoch }: HeldRun): SqlStatement[] {
  const claim = epoch === undefined ? { id, leaseOwner } : { id, leaseOwner, epoch };
  const owner = sql`${leaseOwner}`;
  const found = build
    .updateTable("run")
    .set({ lostOwners: sql<string | null>`nullif(replace("lostOwners", ${inList(owner)}, ''), '')` })
    .where("id", "=", id)
    .where("lostOwners", "like", sql<string>`'%' || ${inList(owner)} || '%'`);
  return [updateRows("run", { ...claim, status: "running" }, { leaseOwner: null }), found.compile()];
}

/** The run has finished a step: the processes that were lost before did not die of it. */
export function progressStatement({ id, epoch }: Pick<RunRow, "id" | "epoch">): SqlStatement {
  return updateRows("run", { id, epoch }, { lostOwners: null });
}

interface WaitingOwner {
  readonly id: string;
  readonly running: number;
}

/** Queued runs `r` that are not held. */
function queuedRuns() {
  return build
    .selectFrom("run as r")
    .where("r.endedAt", "is", null)
    .where("r.status", "=", QUEUED)
    .where("r.heldAt", "is", null);
}

const waitingOwners = hotStatement(() =>
  build
    .withRecursive("owners(id)", (cte) =>
      queuedRuns()
        .select((eb) => eb.fn.min<string | null>("r.ownerId").as("id"))
        .unionAll(
          cte
            .selectFrom("owners")
            .select(
              queuedRuns()
                .whereRef("r.ownerId", ">", sql.ref("owners.id"))
                .select((eb) => eb.fn.min<string | null>("r.ownerId").as("id"))
                .as("id"),
            )
            .where("owners.id", "is not", null),
        ),
    )
    .selectFrom("owners as o")
    .select((eb) => [
      sql<string>`o."id"`.as("id"),
      eb
        .selectFrom("run as r")
        .select((of) => of.fn.countAll<number>().as("count"))
        .where("r.endedAt", "is", null)
        .where("r.status", "=", RUNNING)
        .whereRef("r.ownerId", "=", "o.id")
        .as("running"),
    ])
    .where("o.id", "is not", null)
    .orderBy("running")
    .orderBy(
      queuedRuns()
        .whereRef("r.ownerId", "=", sql.ref("o.id"))
        .select((eb) => eb.fn.min("r.createdAt").as("first")),
    )
    .$castTo<WaitingOwner>(),
);

/** Users with queued runs: those with fewer running ones first, then those whose run has waited longest. */
export function selectWaitingOwners(database: Database): Promise<WaitingOwner[]> {
  return database.execute(waitingOwners({}));
}

const turns = hotStatement((value: PlaceFor<{ ownerId: string; limit: number }>) =>
  heads()
    .select("q.id")
    .where("q.endedAt", "is", null)
    .where("q.status", "=", QUEUED)
    .where("q.ownerId", "=", value("ownerId"))
    .orderBy("q.createdAt")
    .orderBy("q.id")
    .limit(value("limit")),
);

/** Up to `limit` of the owner's queued runs whose turn it is, oldest first. */
export async function selectTurns(database: Database, ownerId: string, limit: number): Promise<string[]> {
  return toIds(await database.execute(turns({ ownerId, limit: Math.max(0, Math.floor(limit)) })));
}

/** Runs that are running but not among those `held`: their process has died, or had to give them up. */
export async function selectLeftRuns(database: Database, held: readonly string[]): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom("run")
      .select("id")
      .where("endedAt", "is", null)
      .where("status", "=", RUNNING)
      .where("id", "not in", build.selectFrom(idRows(database.dialect, held).as("h")).select("h.id"))
      .orderBy("createdAt")
      .orderBy("id"),
  );
  return toIds(rows);
}

/** The columns of a queued run that a dispatcher needs. */
export type QueuedRun = Pick<RunRow, "id" | "ownerId" | "segment">;

const nextOfThread = hotStatement((value: PlaceFor<{ runId: string }>) =>
  heads()
    .select(["q.id", "q.ownerId", "q.segment"])
    .where("q.threadId", "=", build.selectFrom("run as r").select("r.threadId").where("r.id", "=", value("runId")))
    .where("q.endedAt", "is", null)
    .where("q.status", "=", QUEUED)
    .limit(sql.lit(1)),
);

/** The run whose turn it is in the thread of `runId`; null if one is active there, or none is queued. */
export async function selectNextOfThread(database: Database, runId: string): Promise<QueuedRun | null> {
  const [run] = await database.execute(nextOfThread({ runId }));
  return run ?? null;
}

/** Whether at least `count` runs are queued and not held. */
export async function areQueued(database: Database, count: number): Promise<boolean> {
  const least = Math.floor(count);
  const [row] = await database.execute(
    build
      .selectFrom(queuedRuns().select("r.id").limit(least).as("q"))
      .select((eb) => eb.fn.countAll<number>().as("found")),
  );
  return (row?.found ?? 0) >= count;
}
