import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import { endedUnfinished } from "@/lib/schema/runs/run";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { selectRunsWithEvents } from "@/lib/server/platform/db/queries/run-events";

const JOURNAL_GONE = "The steps of this run are no longer recorded, so it cannot be continued. Send a message instead.";

/**
 * What a Continue or Retry adds (D-85). History already contains the ended run's user message and its finished steps
 * (D-19), so the model simply continues from there, or is asked the failed step again, and nothing is added. Only
 * where the history ends with the assistant's own words (a stopped or cut reply, the pair of a summary of everything)
 * does the user say "Continue.", which the transcript shows like any other message. Throws `conflict` when the run
 * can't be continued.
 */
export async function continuationMessages(
  database: Database,
  threadId: string,
  continuesRunId: string,
): Promise<Message[]> {
  const latest = await database.run.findFirst({
    where: { threadId, parentRunId: null },
    orderBy: [{ position: "desc" }, { id: "desc" }],
    select: { id: true, status: true, notice: true },
  });
  if (latest?.id !== continuesRunId || !endedUnfinished(latest)) {
    throw new AppError(
      "conflict",
      "Only a thread's latest run can be continued, once it has stopped without finishing.",
    );
  }
  if ((await selectRunsWithEvents(database, [continuesRunId])).length === 0)
    throw new AppError("conflict", JOURNAL_GONE);
  const last = await database.message.findFirst({
    where: { threadId },
    orderBy: { position: "desc" },
    select: { id: true, role: true, thread: { select: { summaryCutId: true } } },
  });
  if (!last) throw new AppError("conflict", "There is nothing to continue in this thread.");
  const isSummarised = last.thread.summaryCutId === last.id;
  if (last.role !== "assistant" && !isSummarised) return [];
  return [{ id: createId("msg"), role: "user", content: "Continue." }];
}
