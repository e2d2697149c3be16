import "server-only";
import type { TranscriptPage } from "@/lib/schema/threads/thread";
import type { TranscriptQuery } from "@/lib/schema/threads/thread-requests";
import type { Reader } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { findThreadRuns, loadTranscript, toTranscriptMessages } from "./load-transcript";
import { requireReadableThread } from "./thread-row";

/**
 * A page of the transcript, oldest first; its `nextCursor` points to the preceding page. A thread the viewer can't read
 * is `not_found`.
 */
export async function listMessages(
  services: Services,
  threadId: string,
  viewer: Reader,
  { limit, cursor }: TranscriptQuery,
): Promise<TranscriptPage> {
  const thread = await requireReadableThread(services.database, threadId, viewer);
  const before = cursor === undefined ? {} : { before: Number(cursor) };
  const { rows, earlierCursor, facts } = await loadTranscript(services, thread, { limit, ...before });
  const runs = await findThreadRuns(
    services.database,
    threadId,
    rows.map(({ runId }) => runId),
  );
  return {
    messages: await toTranscriptMessages(services, { rows, runs, facts, viewerId: thread.projectId && viewer.id }),
    nextCursor: earlierCursor,
  };
}
