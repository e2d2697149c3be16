import "server-only";
import { z } from "zod";
import type { AuditList, AuditQuery } from "@/lib/schema/audit";
import { database } from "../db";
import { readTraceCursor, writeTraceCursor } from "../traces/trace-cursor";

/** The audit log, newest first, a page at a time (keyset). Throws `invalid_input` for a cursor that is not of it. */
export async function listAudit({ limit, cursor: text, target }: AuditQuery): Promise<AuditList> {
  const cursor = text === undefined ? null : readTraceCursor(text);
  const rows = await database().auditEntry.findMany({
    where: { ...(target === undefined ? {} : { target }), ...(cursor ? before(cursor) : {}) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const names = await namesOf([...new Set(page.map(({ actorId }) => actorId))]);
  return {
    entries: page.map(({ details, createdAt, ...row }) => ({
      ...row,
      actorName: names.get(row.actorId) ?? null,
      details: z.record(z.string(), z.unknown()).parse(JSON.parse(details)),
      createdAt: createdAt.toISOString(),
    })),
    nextCursor: last ? writeTraceCursor({ startedAtMs: last.createdAt.getTime(), id: last.id }) : null,
  };
}

function before({ startedAtMs, id }: { readonly startedAtMs: number; readonly id: string }) {
  const createdAt = new Date(startedAtMs);
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await database().user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}
