import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow } from "@/lib/server/platform/db/statements";

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

const CONTENT = `"id", "createdAt", "actorId", "action", "target", "details", "before", "after", "ip", "apiKeyId"`;
const CHAINED = `${CONTENT}, "number", "hash", "previousHash", "hashKeyId", "tombstone"`;
const LINK = { number: "integer", hash: "text", previousHash: "text", hashKeyId: "text" } as const;

/** A new entry, as part of the transaction that it reports. */
export function insertEntryStatement(entry: ChainedContent): SqlStatement {
  return insertRow("audit_entry", { ...entry });
}

/** Entries not yet in the chain, oldest first. */
export async function selectUnlinked(database: Database, limit: number): Promise<ChainedContent[]> {
  const rows = await database.raw(
    `select ${CONTENT} from "audit_entry" where "number" is null order by "createdAt", "id" limit ${limit}`,
  );
  return readRows<ChainedContent>(rows, { dates: ["createdAt"] });
}

/** The entries after a number, in chain order. */
export async function selectChain(database: Database, after: number, limit: number): Promise<ChainedEntry[]> {
  const rows = await database.raw(
    `select ${CHAINED} from "audit_entry"
      where "number" > $1 and "number" > 0 order by "number" limit ${limit}`,
    [after],
  );
  return readRows<ChainedEntry>(rows, { dates: ["createdAt"] });
}

/** The last entry of the chain; null if it is empty. */
export async function selectChainEnd(database: Database): Promise<Pick<ChainLink, "number" | "hash"> | null> {
  const [row] = await database.raw<Pick<ChainLink, "number" | "hash">>(
    `select "number", "hash" from "audit_entry" where "number" > 0 order by "number" desc limit 1`,
  );
  return row ?? null;
}

export function linkStatement({ dialect }: Database, links: readonly (ChainLink & { id: string })[]): SqlStatement {
  return {
    sql: `update "audit_entry" set "number" = l."number", "hash" = l."hash", "previousHash" = l."previousHash",
        "hashKeyId" = l."hashKeyId"
      from ${dialect.rows("l", { id: "text", ...LINK }, "$1")}
      where "audit_entry"."id" = l."id" and "audit_entry"."number" is null`,
    parameters: [sqlJson(links)],
  };
}

/** The number up to which every entry of the chain is older than `createdBefore`; 0 if the first one is not. */
export async function selectNumberBefore(database: Database, createdBefore: Date): Promise<number> {
  const [row] = await database.raw<{ last: number | null }>(
    `select coalesce(
        (select min("number") - 1 from "audit_entry" where "number" > 0 and "createdAt" >= $1),
        (select max("number") from "audit_entry" where "number" > 0)) as "last"`,
    [createdBefore],
  );
  return Number(row?.last ?? 0);
}

/** Up to `limit` entries about a person that are not erased yet; the entry about the erasure reveals nothing. */
export async function selectEntriesAbout(
  database: Database,
  { userId, email }: { readonly userId: string; readonly email: string },
  limit: number,
): Promise<ChainedEntry[]> {
  const texts = `coalesce("details", '') || coalesce("before", '') || coalesce("after", '')`;
  const rows = await database.raw(
    `select ${CHAINED} from "audit_entry"
      where "number" is not null and "tombstone" is null and "action" <> 'user.erased'
        and ("actorId" = $1 or "target" = $2 or ${texts} like $3)
      order by "createdAt", "id" limit ${limit}`,
    [userId, `user:${userId}`, `%${email}%`],
  );
  return readRows<ChainedEntry>(rows, { dates: ["createdAt"] });
}

/** Keeps only who did what to what, and when. */
export function eraseEntryStatement({ id, tombstone }: Pick<ChainedEntry, "id" | "tombstone">): SqlStatement {
  return {
    sql: `update "audit_entry" set "details" = '{}', "before" = null, "after" = null, "ip" = null, "tombstone" = $2
      where "id" = $1`,
    parameters: [id, tombstone],
  };
}
