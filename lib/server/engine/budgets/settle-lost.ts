import { findOpenStep } from "@/lib/agent/journal";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import type { Database } from "@/lib/server/platform/db/database";
import { selectLostClaims, settleLostCalls } from "@/lib/server/platform/db/queries/usage/budget-calls";

const CHARS_PER_TOKEN = 4;

/**
 * Settles reservations made before then for calls that no process makes any more: those of runs that ended without
 * another claim, of compactions and of titles, which have no events.
 */
export async function settleDeadReservations(database: Database, before: Date): Promise<void> {
  for (const { runId, epoch } of await selectLostClaims(database, before)) {
    const events = (await readAllEvents(database, runId)).map(({ event }) => event);
    const streamedTokens = Math.ceil((findOpenStep(events)?.streamedChars ?? 0) / CHARS_PER_TOKEN);
    await settleLostCalls(database, { runId, before: epoch + 1 }, streamedTokens);
  }
}
