import "server-only";
import { z } from "zod";
import type { ThreadList, ThreadQuery } from "@/lib/schema/threads/thread";
import { database } from "@/lib/server/platform/db/database";
import { containsText } from "@/lib/server/platform/db/dialect";
import { CursorId, pageCursors, pageOfRows } from "@/lib/server/platform/db/page-of-rows";
import { describeThreads, THREAD_FIELDS } from "./thread-row";

const cursors = pageCursors(z.tuple([z.boolean(), z.iso.datetime(), CursorId]));

/**
 * The viewer's threads: pinned ones first, then the most recently changed. Threads of one `/v1` request are not
 * listed.
 */
export async function listThreads(ownerId: string, query: ThreadQuery): Promise<ThreadList> {
  const { q, agentId, archived, limit, cursor } = query;
  const rows = await database().thread.findMany({
    where: {
      ownerId,
      agentId,
      deletedAt: null,
      ephemeral: false,
      parentThreadId: null,
      archivedAt: archived ? { not: null } : null,
      AND: [q ? matches(q) : {}, cursor ? after(cursor) : {}],
    },
    orderBy: [{ pinned: "desc" }, { updatedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    select: THREAD_FIELDS,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ pinned, updatedAt, id }) =>
    cursors.write(pinned, updatedAt.toISOString(), id),
  );
  return { threads: await describeThreads(page), nextCursor };
}

function matches(q: string) {
  const contains = containsText(database().dialect, q);
  return { OR: [{ title: contains }, { transcript: { some: { text: contains } } }] };
}

function after(cursor: string) {
  const [pinned, updatedAt, id] = cursors.read(cursor);
  const older = [
    { pinned, updatedAt: { lt: new Date(updatedAt) } },
    { pinned, updatedAt: new Date(updatedAt), id: { lt: id } },
  ];
  return { OR: pinned ? [...older, { pinned: false }] : older };
}
