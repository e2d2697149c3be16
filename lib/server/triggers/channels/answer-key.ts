import type { Database } from "@/lib/server/platform/db/database";

/** How many messages of a chat are searched for the answered one. */
const AT_MOST = 50;

interface Answering {
  readonly linkId: string;
  readonly runId: string;
  readonly threadId: string;
}

/**
 * The key that a message to the chat must carry to answer the right message: that of its run's message, otherwise of
 * the newest of its thread. A message without one is answered outside any thread of the chat.
 */
export async function findAnswerKey(database: Database, answering: Answering): Promise<string | undefined> {
  const { linkId, runId, threadId } = answering;
  const run = await database.run.findUnique({ where: { id: runId }, select: { rootRunId: true } });
  const runs = [runId, run?.rootRunId ?? runId];
  const rows = await database.firing.findMany({
    where: { triggerId: linkId, OR: [{ runId: { in: runs } }, { threadId }] },
    select: { runId: true, answerKey: true },
    orderBy: [{ dueAt: "desc" }, { id: "desc" }],
    take: AT_MOST,
  });
  const own = rows.find((row) => row.runId !== null && runs.includes(row.runId));
  return (own ?? rows[0])?.answerKey ?? undefined;
}
