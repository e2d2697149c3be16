import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";

/** The last reply on the branch that the thread shows, and its run's status. Throws `conflict` if there is none. */
export async function lastReply(
  database: Database,
  threadId: string,
): Promise<{ readonly messageId: string; readonly status: string }> {
  const { leafRunId } = await database.thread.findUniqueOrThrow({
    where: { id: threadId },
    select: { leafRunId: true },
  });
  const run =
    leafRunId === null
      ? null
      : await database.run.findUnique({
          where: { id: leafRunId },
          select: { assistantMessageId: true, status: true },
        });
  if (!run) throw new AppError("conflict", "This chat has no reply yet that could be written again.");
  return { messageId: run.assistantMessageId, status: run.status };
}
