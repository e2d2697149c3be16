import "server-only";
import { z } from "zod";
import type { ThreadList, ThreadQuery, ThreadSnippet } from "@/lib/schema/threads/thread";
import { database } from "@/lib/server/platform/db/database";
import { containsText } from "@/lib/server/platform/db/dialect";
import { CursorId, pageCursors, pageOfRows } from "@/lib/server/platform/db/page-of-rows";
import { selectExcerpts } from "@/lib/server/platform/db/queries/messages";
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
  const threads = await describeThreads(page);
  if (!q) return { threads, nextCursor };
  const ids = page.map(({ id }) => id);
  const excerpts = await selectExcerpts(database(), ids, q);
  const found = threads.map((thread) => {
    const excerpt = excerpts.get(thread.id);
    const snippet = excerpt === undefined ? null : toSnippet(excerpt.excerpt, q);
    return excerpt === undefined || snippet === null
      ? thread
      : { ...thread, snippet: { ...snippet, messageId: excerpt.messageId } };
  });
  return { threads: found, nextCursor };
}

const SNIPPET_CHARS = { before: 30, after: 120 };

/** The database's part of a text, cut at words; null where it does not contain `q` after all. */
function toSnippet(excerpt: string, q: string): Omit<ThreadSnippet, "messageId"> | null {
  const at = excerpt.toLowerCase().indexOf(q.toLowerCase());
  if (at === -1) return null;
  const end = at + q.length;
  const before = oneLine(excerpt.slice(Math.max(0, at - SNIPPET_CHARS.before), at).replace(/^\S*\s/u, ""));
  const after = oneLine(excerpt.slice(end, end + SNIPPET_CHARS.after));
  return { before, match: oneLine(excerpt.slice(at, end)), after };
}

/** Line breaks and the like become one space, also at the ends, which touch the match. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").toWellFormed();
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
