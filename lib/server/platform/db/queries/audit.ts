import { sql } from "kysely";
import { type AuditRecord, auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** What the hash of an entry covers, besides its number and the previous hash. */
export interface ChainedContent {
  readonly id: string;
  readonly createdAt: Date;
  readonly actorId: string;
  readonly action: string;
  readonly target: string;
  readonly details: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly ip: string | null;
  readonly apiKeyId: string | null;
}

/** An entry's place in the chain. */
export interface ChainLink {
  readonly number: number;
  readonly hash: string;
  readonly previousHash: string;
  readonly hashKeyId: string;
}

/** `tombstone` is set if the content was erased. */
export type ChainedEntry = ChainedContent & ChainLink & { readonly tombstone: string | null };

const CONTENT = [
  ...(["id", "createdAt", "actorId", "action", "target"] as const),
  ...(["details", "before", "after", "ip", "apiKeyId"] as const),
] as const;
const LINK = { number: "integer", hash: "text", previousHash: "text", hashKeyId: "text" } as const;
/** What the index of linked entries names. */
const ZERO = sql.lit(0);

/** A new entry, as part of the transaction that it reports. */
export function insertEntryStatement(entry: ChainedContent): SqlStatement {
  return build.insertInto("audit_entry").values(entry).compile();
}

/** The same, written now by whoever's request is being answered. */
export function auditStatement(record: AuditRecord): SqlStatement {
  return insertEntryStatement({ ...auditColumns(record), createdAt: new Date() });
}

const unlinked = hotStatement((value: PlaceFor<{ limit: number }>) =>
  build
    .selectFrom("audit_entry")
    .select(CONTENT)
    .where("number", "is", null)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(value("limit")),
);

/** Entries not yet in the chain, oldest first. */
export async function selectUnlinked(database: Database, limit: number): Promise<ChainedContent[]> {
  return withDates(await database.execute(unlinked({ limit })), "createdAt");
}

/** The entries after a number, in chain order. */
export async function selectChain(database: Database, after: number, limit: number): Promise<ChainedEntry[]> {
  const linked = selectChained().where("number", ">", after).where("number", ">", ZERO);
  return withDates(await database.execute(linked.orderBy("number").limit(limit)), "createdAt");
}

function selectChained() {
  return build
    .selectFrom("audit_entry")
    .select([...CONTENT, "tombstone"])
    .select((eb) => [
      eb.ref("number").$notNull().as("number"),
      eb.ref("hash").$notNull().as("hash"),
      eb.ref("previousHash").$notNull().as("previousHash"),
      eb.ref("hashKeyId").$notNull().as("hashKeyId"),
    ]);
}

/** The last entry of the chain; null if it is empty. */
export async function selectChainEnd(database: Database): Promise<Pick<ChainLink, "number" | "hash"> | null> {
  const [row] = await database.execute(
    build
      .selectFrom("audit_entry")
      .select((eb) => [eb.ref("number").$notNull().as("number"), eb.ref("hash").$notNull().as("hash")])
      .where("number", ">", ZERO)
      .orderBy("number", "desc")
      .limit(1),
  );
  return row ?? null;
}

export function linkStatement({ dialect }: Database, links: readonly (ChainLink & { id: string })[]): SqlStatement {
  return build
    .updateTable("audit_entry")
    .from(jsonRows(dialect, { id: "text", ...LINK }, links).as("l"))
    .set((eb) => ({
      number: eb.ref("l.number"),
      hash: eb.ref("l.hash"),
      previousHash: eb.ref("l.previousHash"),
      hashKeyId: eb.ref("l.hashKeyId"),
    }))
    .whereRef("audit_entry.id", "=", "l.id")
    .where("audit_entry.number", "is", null)
    .compile();
}

/** The number up to which every entry of the chain is older than `createdBefore`; 0 if the first one is not. */
export async function selectNumberBefore(database: Database, createdBefore: Date): Promise<number> {
  const linked = build.selectFrom("audit_entry").where("number", ">", ZERO);
  const younger = linked.where("createdAt", ">=", sqlTimestamp(createdBefore));
  const [row] = await database.execute(
    build.selectNoFrom((eb) =>
      eb.fn
        .coalesce(
          younger.select((entry) => entry(entry.fn.min("number"), "-", entry.lit(1)).as("number")),
          linked.select((entry) => entry.fn.max("number").as("number")),
        )
        .as("last"),
    ),
  );
  return row?.last ?? 0;
}

/** Up to `limit` entries about a person that are not erased yet; the entry about the erasure reveals nothing. */
export async function selectEntriesAbout(
  database: Database,
  { userId, email }: { readonly userId: string; readonly email: string },
  limit: number,
): Promise<ChainedEntry[]> {
  const texts = sql<string>`coalesce("details", '') || coalesce("before", '') || coalesce("after", '')`;
  const entries = selectChained()
    .where("number", "is not", null)
    .where("tombstone", "is", null)
    .where("action", "<>", "user.erased")
    .where((eb) =>
      eb.or([eb("actorId", "=", userId), eb("target", "=", `user:${userId}`), eb(texts, "like", `%${email}%`)]),
    )
    .orderBy("createdAt")
    .orderBy("id");
  return withDates(await database.execute(entries.limit(limit)), "createdAt");
}

/** Keeps only who did what to what, and when. */
export function eraseEntryStatement({ id, tombstone }: Pick<ChainedEntry, "id" | "tombstone">): SqlStatement {
  return build
    .updateTable("audit_entry")
    .set({ details: "{}", before: null, after: null, ip: null, tombstone })
    .where("id", "=", id)
    .compile();
}
