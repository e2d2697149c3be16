import "server-only";
import { z } from "zod";
import type { AuditEntry, AuditFilters, AuditList, AuditQuery } from "@/lib/schema/audit";
import { type AuditRecord, auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { findsText } from "@/lib/server/platform/db/dialect";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { foldNewTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import type { Services } from "@/lib/server/platform/services";
import { findTargetNames } from "./target-names";

/** Records who changed what. Awaited: an action that can't be recorded fails. */
export async function writeAudit(services: Services, record: AuditRecord): Promise<void> {
  await auditQuery(services, record);
}

/** The same as part of the transaction that makes the change: both are stored, or neither. */
export function auditQuery(services: Services, record: AuditRecord) {
  return services.database.auditEntry.create({ data: auditColumns(record), select: { id: true } });
}

/** The audit log, newest first, a page at a time (keyset). Throws `invalid_input` for a foreign cursor. */
export async function listAudit(database: Database, { limit, cursor, ...filters }: AuditQuery): Promise<AuditList> {
  const unfolded = filters.q === undefined ? 0 : await foldNewTexts(database, ["audit_entry"]);
  const rows = await database.auditEntry.findMany({
    where: { AND: [matching(database, filters), timeCursors.behind(cursor, "createdAt", "descending")] },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  return { entries: await toEntries(database, page), nextCursor, ...(unfolded > 0 ? { unfolded } : {}) };
}

const EXPORTED_AT_ONCE = 500;

/** Every matching entry as a line of JSON, oldest first, read in batches. */
export async function* exportAudit(database: Database, filters: AuditFilters): AsyncGenerator<string> {
  let cursor: string | undefined;
  for (;;) {
    const rows = await database.auditEntry.findMany({
      where: { AND: [matching(database, filters), timeCursors.behind(cursor, "createdAt", "ascending")] },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: EXPORTED_AT_ONCE,
    });
    for (const entry of await toEntries(database, rows)) yield `${JSON.stringify(entry)}\n`;
    const last = rows.at(-1);
    if (!last || rows.length < EXPORTED_AT_ONCE) return;
    cursor = timeCursors.write(last.createdAt, last.id);
  }
}

function matching(database: Database, { id, actor, action, target, from, to, q }: AuditFilters) {
  const { dialect } = database;
  return {
    ...(id === undefined ? {} : { id }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(action === undefined ? {} : { action: beginning(action, ".") }),
    ...(target === undefined ? {} : { target: beginning(target, ":") }),
    createdAt: { ...(from ? { gte: new Date(from) } : {}), ...(to ? { lt: new Date(to) } : {}) },
    ...(q === undefined ? {} : { OR: findsText(dialect, q, ["action", "target", "details", "before", "after"]) }),
  };
}

/** `user.` and `agent:` match every value that begins with them. */
function beginning(text: string, end: "." | ":") {
  return text.endsWith(end) ? { startsWith: text } : text;
}

type AuditRow = NonNullable<Awaited<ReturnType<Database["auditEntry"]["findFirst"]>>>;

const Details = z.record(z.string(), z.unknown());
const factsOf = (json: string | null) => (json === null ? null : Details.parse(JSON.parse(json)));

async function toEntries(database: Database, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const names = await findTargetNames(
    database,
    rows.flatMap(({ actorId, target }) => [`user:${actorId}`, target]),
  );
  return readEach(rows, "audit entry", (row) => ({
    id: row.id,
    at: row.createdAt.toISOString(),
    actor: row.actorId,
    actorName: names.get(`user:${row.actorId}`) ?? null,
    action: row.action,
    target: row.target,
    targetName: names.get(row.target) ?? null,
    before: factsOf(row.before),
    after: factsOf(row.after),
    details: Details.parse(JSON.parse(row.details)),
    ip: row.ip,
    keyId: row.apiKeyId,
    number: row.number,
    hash: row.hash,
    prevHash: row.previousHash,
    isErased: row.tombstone !== null,
  }));
}
