import { hasEnded, type RunStatus } from "@/lib/schema/run";
import type { Database } from "../db";
import { finishRun } from "./finish-run";
import { toHeldRun } from "./held-run";
import { isLeaseLost } from "./lease-lost";
import { readAllEvents } from "./read-events";
import { endingOfJournal } from "./run-ending";
import { RunInput } from "./run-input";
import { announceCancelRequest } from "./run-signal";

/**
 * Asks for the end of a run. A queued one ends here and now; a running one as soon as its process has stopped what it
 * was doing. Idempotent: asked again, or after the end, nothing happens. The caller has checked who may do so.
 */
export async function cancelRun(database: Database, runId: string, by: string): Promise<void> {
  await database.run.updateMany({
    where: { id: runId, status: { in: ["queued", "running", "waiting"] }, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date(), cancelledBy: by },
  });
  const run = await database.run.findUnique({ where: { id: runId } });
  if (!run || hasEnded(run.status as RunStatus)) return;
  if (run.status !== "queued") return announceCancelRequest(runId, run.cancelledBy ?? by);
  const { messages } = RunInput.parse(JSON.parse(run.input));
  const ending = endingOfJournal(runId, messages, [], { type: "run.cancelled", by });
  const events = await readAllEvents(database, runId);
  try {
    await finishRun(database, { run: toHeldRun(run), ending, events, todos: null });
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    announceCancelRequest(runId, by);
  }
}

/** Cancels every run of the thread that has not ended; resolves when each has been asked. */
export async function cancelOpenRuns(database: Database, threadId: string, by: string): Promise<void> {
  const open = await database.run.findMany({
    where: { threadId, status: { in: ["queued", "running", "waiting"] } },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  for (const { id } of open) await cancelRun(database, id, by);
}
