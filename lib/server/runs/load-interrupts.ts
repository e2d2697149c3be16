import { foldInterrupts, type RunInterrupts } from "@/lib/agent/interrupts";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import type { Database } from "../db";

/** What a segment knows of people: the decisions in the run's events and the grants in force for its thread. */
export async function loadInterrupts(
  database: Database,
  run: { readonly threadId: string; readonly canAsk: boolean },
  events: readonly StoredRunEvent[],
): Promise<RunInterrupts> {
  const grants = await database.grant.findMany({
    where: { threadId: run.threadId, revokedAt: null, expiresAt: { gt: new Date() } },
    select: { id: true, tool: true, args: true },
  });
  return foldInterrupts(
    events.map(({ event }) => event),
    { canAsk: run.canAsk, grants },
  );
}
