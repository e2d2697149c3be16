import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { selectCurrentVersions } from "@/lib/server/platform/db/queries/agents";
import { deleteEndedRates } from "@/lib/server/platform/db/queries/rate-limits";
import { deleteEventsOfRunsEndedBefore } from "@/lib/server/platform/db/queries/run-events";
import {
  deleteEphemeralThreads,
  deleteOrphanedThreads,
  deleteUnusedThreads,
} from "@/lib/server/platform/db/queries/threads";
import { deleteAccountsBefore } from "@/lib/server/platform/db/queries/usage/budgets";
import { loadVersionOrNull } from "./agent-version";
import { settleLeftCalls } from "./budgets/follow-up-calls";
import { settleDeadReservations } from "./budgets/settle-lost";

const HOUR_MS = 3_600_000;
const KEEP_EPHEMERAL_MS = 24 * HOUR_MS;
/** Longer than any model call takes. */
const DEAD_CALL_MS = HOUR_MS;
const KEEP_ACCOUNTS_MS = 400 * 24 * HOUR_MS;
/** S0: every five minutes, threads unused for longer than their time to live are deleted. */
export const SWEEP_EVERY_MS = 5 * 60_000;

interface SweepOptions {
  /** Null keeps them for ever. */
  readonly keepEventsMs: number | null;
  /** For agents with their own retention time. */
  readonly agentEventsMs?: Readonly<Record<string, number | null>>;
  readonly pace: Pace;
}

/**
 * Deletes the events of runs that ended longer ago than `keepEventsMs`, or than their agent's own time (their messages
 * and traces stay); threads created for one request and older than a day; threads idle for longer than their agent
 * keeps them (`threads.ttl_minutes`), with the threads of their subagents; the counts of rate-limit windows that are
 * over. Settles budget reservations, and calls after a run, left by dead processes.
 */
export async function sweep(
  database: Database,
  nowMs: number,
  { keepEventsMs, agentEventsMs = {}, pace }: SweepOptions,
): Promise<void> {
  const before = (keptMs: number | null) => (keptMs === null ? null : new Date(nowMs - keptMs));
  const agents = new Map(Object.entries(agentEventsMs).map(([id, keptMs]) => [id, before(keptMs)]));
  const isAnyOver = keepEventsMs !== null || [...agents.values()].some((date) => date !== null);
  if (isAnyOver) await deleteEventsOfRunsEndedBefore(database, { others: before(keepEventsMs), agents }, pace);
  await deleteEphemeralThreads(database, new Date(nowMs - KEEP_EPHEMERAL_MS), pace);
  for (const { agentId, versionId } of await selectCurrentVersions(database)) {
    const version = await loadVersionOrNull(database, versionId);
    const ttlMs = (version?.config.threads.ttl_minutes ?? 0) * 60_000;
    if (ttlMs > 0) await deleteUnusedThreads(database, agentId, new Date(nowMs - ttlMs), pace);
  }
  await deleteOrphanedThreads(database, pace);
  await deleteEndedRates(database);
  await settleDeadReservations(database, new Date(nowMs - DEAD_CALL_MS));
  await settleLeftCalls(database, new Date(nowMs - DEAD_CALL_MS));
  await deleteAccountsBefore(database, new Date(nowMs - KEEP_ACCOUNTS_MS));
}
