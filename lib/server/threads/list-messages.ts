import "server-only";
import type { TranscriptPage } from "@/lib/schema/threads/thread";
import type { TranscriptQuery } from "@/lib/schema/threads/thread-requests";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { findThreadRuns, loadTranscript, toTranscriptMessages } from "./load-transcript";
import { requireReadableThread } from "./thread-row";

/**
 * A page of the transcript, oldest first; its `nextCursor` points to the preceding page. A thread the viewer can't read
 * is `not_found`.
 */
export async function listMessages(
  database: Database,
  threadId: string,
  viewer: Reader,
  { limit, cursor }: TranscriptQuery,
): Promise<TranscriptPage> {
  const thread = await requireReadableThread(database, threadId, viewer);
  const before = cursor === undefined ? {} : { before: Number(cursor) };
  const { rows, earlierCursor, facts } = await loadTranscript(database, thread, { limit, ...before });
  const runs = await findThreadRuns(
    database,
    threadId,
    rows.map(({ runId }) => runId),
  );
  return {
    messages: await toTranscriptMessages(database, { rows, runs, facts, viewerId: thread.projectId && viewer.id }),
    nextCursor: earlierCursor,
  };
}
