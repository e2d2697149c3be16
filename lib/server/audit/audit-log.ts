import "server-only";
import { z } from "zod";
import type { AuditList, AuditQuery } from "@/lib/schema/audit";
import { type AuditRecord, auditColumns } from "@/lib/server/platform/audit-columns";
import { database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";

/** Records who changed what. Awaited: an action that can't be recorded fails. */
export async function writeAudit(record: AuditRecord): Promise<void> {
  await database().auditEntry.create({ data: auditColumns(record) });
}

/** The audit log, newest first, a page at a time (keyset). Throws `invalid_input` for a cursor that is not of it. */
export async function listAudit({ limit, cursor, target }: AuditQuery): Promise<AuditList> {
  const rows = await database().auditEntry.findMany({
    where: { ...(target === undefined ? {} : { target }), ...timeCursors.behind(cursor, "createdAt", "descending") },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  const names = await namesOf([...new Set(page.map(({ actorId }) => actorId))]);
  return {
    entries: page.map(({ details, createdAt, ...row }) => ({
      ...row,
      actorName: names.get(row.actorId) ?? null,
      details: z.record(z.string(), z.unknown()).parse(JSON.parse(details)),
      createdAt: createdAt.toISOString(),
    })),
    nextCursor,
  };
}

async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await database().user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}
