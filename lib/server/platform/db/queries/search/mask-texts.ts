import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "@/lib/schema/fold";
import { MOST_UNMASKED } from "@/lib/schema/traces/list/most-unmasked";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { logger } from "@/lib/server/platform/logger";
import { maskingRevision, maskText } from "@/lib/server/platform/masking";
import { MASKING_REVISION, REVISION_DIGITS } from "./masking-revision";

/** The revision in the database, in the same statement as what is asked about it: at most 0 if there are no rules. */
const REVISION = sql<number>`coalesce((select cast(substr(g."value", 1, ${sql.lit(REVISION_DIGITS)}) as integer)
  from "setting" g where g."key" = ${sql.lit(MASKING_REVISION)}), 0)`;

/** Longer parts of a message, which contain what its tools returned, are not read for its texts. */
const MOST_PARTS_CHARS = 500_000;

/** What is shown masked in traces and found by a search of them: of a row `r`, as `TextsOfRow` has it. */
const KINDS = {
  transcript_message: {
    time: "createdAt",
    columns: sql`r."text", null as "second", null as "third", r."role" = 'user' as "isOne",
      case when r."role" <> 'user' and length(r."parts") <= ${sql.lit(MOST_PARTS_CHARS)} then r."parts" end as "parts"`,
  },
  trace: {
    time: "startedAt",
    columns: sql`coalesce(r."title", '') as "text", r."error" as "second", r."firstLine" as "third", true as "isOne",
      null as "parts"`,
  },
  note: {
    time: "createdAt",
    columns: sql`r."text", null as "second", null as "third", true as "isOne", null as "parts"`,
  },
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

/**
 * The condition that what a search finds in this row, `alias`, may be confirmed: there are no rules, or the row is
 * masked under those in force, and `isFound` holds for the masked text.
 */
export function isFoundMasked(
  alias: string,
  isFound: (masked: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const [masked, revision] = [sql.ref(`${alias}.masked`), sql.ref(`${alias}.maskRevision`)];
  return sql`(${REVISION} <= 0 or (${revision} = ${REVISION} and (${masked} is null or ${isFound(masked)})))`;
}

/** The condition that this row, `alias`, is shown as it is: there are no rules, or they change nothing in it. */
export function isShownAsItIs(alias: string): RawBuilder<SqlBool> {
  return isFoundMasked(alias, () => sql`false`);
}

/** The condition that rules in force have changed something in this row, `alias`. */
export function isMaskedRow(alias: string): RawBuilder<SqlBool> {
  const [masked, revision] = [sql.ref(`${alias}.masked`), sql.ref(`${alias}.maskRevision`)];
  return sql`(${masked} is not null and ${revision} = ${REVISION} and ${REVISION} > 0)`;
}

/** The revision of the rules that the database has. */
export async function selectMaskingRevision(database: Database): Promise<number> {
  const [row] = await database.execute(textStatement(sql<{ revision: number }>`select ${REVISION} as "revision"`));
  return Number(row?.revision ?? 0);
}

/** How many rows are not masked under the rules in force yet; counts to `limit`. */
export async function countUnmasked(database: Database, limit: number): Promise<number> {
  const revision = await selectMaskingRevision(database);
  if (revision <= 0) return 0;
  // In the order of the index, so that no planner takes reading the table for as cheap.
  const rest = NAMES.map(
    (name) => sql`select * from (select 1 from ${sql.table(name)} r where r."maskRevision" < ${revision}
      order by r."maskRevision" limit ${limit}) ${sql.table(name)}`,
  );
  const statement = textStatement(sql<{ count: number }>`select count(*) as "count" from
    (select * from (${sql.join(rest, sql` union all `)}) kinds limit ${limit}) unmasked`);
  const [row] = limit === 1 ? await database.execute(statement) : await database.readAside(statement);
  return Number(row?.count ?? 0);
}

/** So many rows of a kind, with all that they hold, are in memory at once; with fewer, one that changes would end it. */
const MOST_ROWS = 50;
const LEAST_ROWS = 10;

/**
 * Masks rows of each kind, new ones first, until `limit` or the time is reached; returns less than `limit` if none is
 * left, or if the rules of this process are not those of the database. A row that changes in the meantime is
 * left for the next call.
 */
export async function maskTexts(
  database: Database,
  limit: number,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<number> {
  const revision = maskingRevision();
  if (revision <= 0) return 0;
  const most = Math.max(LEAST_ROWS, Math.min(limit, MOST_ROWS));
  let isMore = false;
  for (const name of NAMES) {
    if (await maskRows(database, { name, revision, limit: most, untilMs })) isMore = true;
  }
  return isMore ? limit : 0;
}

interface Work {
  readonly name: Kind;
  readonly revision: number;
  readonly limit: number;
  /** By `performance.now`. */
  readonly untilMs: number;
}

interface Unmasked extends TextsOfRow {
  readonly id: string;
  readonly maskRevision: number;
  readonly masked: string | null;
}

/** Returns whether there may be more. */
async function maskRows(database: Database, { name, revision, limit, untilMs }: Work): Promise<boolean> {
  const { time, columns } = KINDS[name];
  const table = sql.table(name);
  // Not aside, where it would end with the request of whoever searches first.
  const rows = await database.execute(
    textStatement(sql<Unmasked>`select r."id", r."maskRevision", r."masked", ${columns} from ${table} r
      where r."maskRevision" < ${revision} order by r."maskRevision", ${sql.ref(`r.${time}`)} desc limit ${limit}`),
  );
  const done: { id: string; before: number; was: string | null; masked: string | null }[] = [];
  let since = performance.now();
  for (const row of rows) {
    done.push({ id: row.id, before: row.maskRevision, was: row.masked, masked: maskedText(row) });
    if (performance.now() > untilMs) break;
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  if (done.length === 0) return false;
  // If the rules changed in the meantime, these texts may have been masked under either.
  if (maskingRevision() !== revision) return false;
  const given = jsonRows(database.dialect, { id: "text", before: "integer", was: "text", masked: "text" }, done);
  const update = sql`update ${table} set "masked" = w."masked", "maskRevision" = ${revision} from ${given} as w
    where ${table}."id" = w."id" and ${table}."maskRevision" = w."before"
      and ${table}."masked" is not distinct from w."was" and ${REVISION} = ${revision} returning ${table}."id"`;
  const [updated = []] = await database.runAll([textStatement(update)], "normal");
  return updated.length > 0 && (done.length < rows.length || rows.length === limit);
}

/** So long the event loop waits at most, unless one text takes longer. */
const TURN_MS = 10;
/** Longer texts are not found while there are rules. What is cut could not be masked: a rule may need the rest. */
const MOST_CHARS = 100_000;

/** What a row shows, each of it masked by itself. */
interface TextsOfRow {
  readonly text: string;
  readonly second: string | null;
  readonly third: string | null;
  /** Of a message of several texts, its parts as JSON, of which `text` is made; null if they are too long. */
  readonly parts: string | null;
  readonly isOne: boolean;
}

/** What a search reads of a row: null if the rules leave it as it is, nothing if that can't be told. */
export function maskedText(row: TextsOfRow): string | null {
  try {
    const texts = textsOf(row);
    if (texts === null || texts.reduce((sum, { length }) => sum + length, 0) > MOST_CHARS) return "";
    const masked = texts.map(maskText);
    const isSame = masked.every((text, index) => text === texts[index]);
    return isSame ? null : fold(masked.join(PARTS_SEPARATOR));
  } catch (error) {
    logger().warn({ err: error }, "can't mask a text for searches");
    return "";
  }
}

/** As `plainText` of the transcript joins the parts of a message. */
const PARTS_SEPARATOR = "\n\n";

function textsOf({ text, second, third, parts, isOne }: TextsOfRow): string[] | null {
  if (isOne) return [text, second, third].filter((shown) => shown !== null);
  const texts = parts === null ? [] : textsOfParts(parts);
  return isStoredAs(texts.join(PARTS_SEPARATOR), text) ? texts : null;
}

function textsOfParts(json: string): string[] {
  const parts: unknown = JSON.parse(json);
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: { type?: unknown; text?: unknown } | null) =>
    part?.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
}

/** Columns of text hold neither halves of a surrogate pair nor, on Postgres, NUL. */
function isStoredAs(text: string, stored: string): boolean {
  const plain = (written: string) => written.toWellFormed().replaceAll("\0", "\u{fffd}");
  return text === stored || plain(text) === plain(stored);
}

/** So many ms a search that comes before the task masks new rows. */
const NEW_MS = 100;
/** Masks the newest rows, so that a search finds them, and returns how many remain; counts to `MOST_UNMASKED`. */
export async function maskNewTexts(database: Database): Promise<number> {
  if ((await countUnmasked(database, 1)) === 0) return 0;
  const masking = running.get(database) ?? maskSome(database);
  running.set(database, masking);
  await masking;
  return countUnmasked(database, MOST_UNMASKED);
}

/** Of the requests of one page the first does it. */
const running = new WeakMap<Database, Promise<void>>();

async function maskSome(database: Database): Promise<void> {
  try {
    await maskTexts(database, MOST_ROWS, performance.now() + NEW_MS);
  } catch (error) {
    // Where nothing can be written, say since the disk is full, people can still search what was masked before.
    logger().warn({ err: error }, "can't mask new texts for a search");
  } finally {
    running.delete(database);
  }
}
