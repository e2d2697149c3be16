import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { ThreadList, ThreadQuery } from "@/lib/schema/thread";
import { database } from "../db";
import { describeThreads, THREAD_FIELDS } from "./thread-row";

const Cursor = z.tuple([z.boolean(), z.iso.datetime(), z.string()]);

/** The viewer's threads: pinned ones first, then the latest change first. Threads of one `/v1` request are not listed. */
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
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    threads: await describeThreads(page),
    nextCursor: rows.length > limit && last ? encode([last.pinned, last.updatedAt.toISOString(), last.id]) : null,
  };
}

/** SQLite's LIKE ignores case of ASCII by itself; Postgres is told to. */
function matches(q: string) {
  const contains = { contains: q, ...(database().dialect.provider === "postgresql" ? { mode: "insensitive" } : {}) };
  return { OR: [{ title: contains }, { transcript: { some: { text: contains } } }] };
}

function after(cursor: string) {
  const [pinned, updatedAt, id] = decode(cursor);
  const older = [
    { pinned, updatedAt: { lt: new Date(updatedAt) } },
    { pinned, updatedAt: new Date(updatedAt), id: { lt: id } },
  ];
  return { OR: pinned ? [...older, { pinned: false }] : older };
}

function encode(cursor: z.infer<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function decode(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch (cause) {
    throw new AppError("invalid_input", "cursor: Use the nextCursor of the page before.", { cause });
  }
}
