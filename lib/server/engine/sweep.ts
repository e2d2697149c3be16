import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { loadAgentVersion } from "./agent-version";

const HOUR_MS = 3_600_000;
const KEEP_EVENTS_MS = 24 * HOUR_MS;
const KEEP_EPHEMERAL_MS = 24 * HOUR_MS;
/** S0: threads that nobody used within their time to live are looked for every five minutes. */
const SWEEP_EVERY_MS = 5 * 60_000;

/** Sweeps now and every five minutes; call the result to stop. */
export function startSweeps(database: Database): () => void {
  const run = () =>
    void sweep(database, Date.now()).catch((error: unknown) => logger().error({ err: error }, "the sweep failed"));
  const timer = setInterval(run, SWEEP_EVERY_MS);
  timer.unref();
  run();
  return () => clearInterval(timer);
}

/**
 * Deletes the events of runs that ended more than a day ago (their messages and traces stay), threads that were
 * created for one request and are older than a day, and those that were idle for longer than their agent keeps them
 * (`threads.ttl_minutes`), with the threads of their subagents.
 */
export async function sweep(database: Database, nowMs: number): Promise<void> {
  const endedBefore = new Date(nowMs - KEEP_EVENTS_MS);
  await sweepEvents(database, endedBefore);
  await database.raw(
    `delete from "thread" where "ephemeral" = ${database.dialect.provider === "sqlite" ? "1" : "true"} and "updatedAt" < $1
      and not exists (select 1 from "run" r where r."threadId" = "thread"."id" and r."endedAt" is null)`,
    [new Date(nowMs - KEEP_EPHEMERAL_MS)],
  );
  await sweepIdleThreads(database, nowMs);
  await database.raw(
    `delete from "thread" where "parentThreadId" is not null and "parentThreadId" not in (select "id" from "thread")`,
    [],
  );
}

/**
 * Goes from run to run through the key of the events, so that they need no index of their own, which each insert would
 * pay for.
 */
async function sweepEvents(database: Database, endedBefore: Date): Promise<void> {
  await database.raw(
    `with recursive logged("id") as (
      select min("runId") from "run_event"
      union all
      select (select min(e."runId") from "run_event" e where e."runId" > logged."id") from logged
        where logged."id" is not null)
    delete from "run_event" where "runId" in (
      select r."id" from "run" r where r."id" in (select "id" from logged) and r."endedAt" < $1)`,
    [endedBefore],
  );
}

async function sweepIdleThreads(database: Database, nowMs: number): Promise<void> {
  const agents = await database.raw<{ id: string; versionId: string }>(
    `select "id", "currentVersionId" as "versionId" from "agent" where "currentVersionId" is not null`,
  );
  for (const { id, versionId } of agents) {
    const { config } = await loadAgentVersion(database, versionId);
    const ttlMs = config.threads.ttl_minutes * 60_000;
    if (ttlMs === 0) continue;
    await database.raw(
      `delete from "thread" where "agentId" = $1 and "parentThreadId" is null and "updatedAt" < $2
        and not exists (select 1 from "run" r where r."threadId" = "thread"."id" and r."endedAt" is null)`,
      [id, new Date(nowMs - ttlMs)],
    );
  }
}
