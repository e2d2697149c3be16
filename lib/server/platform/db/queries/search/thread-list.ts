import type { ThreadOrigin } from "@/lib/schema/threads/thread";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import { homeInReachSql } from "@/lib/server/platform/within-reach";
import type { SearchTerm } from "./fold-texts";
import { selectPending } from "./text-index";
import { isFromOrigin } from "./thread-origins";

export interface ThreadPlace {
  /**
   * How well the thread matches a search: the title before the texts, words in a row before words apart; 0 without a
   * search.
   */
  readonly rank: number;
  readonly pinned: boolean;
  readonly updatedAt: Date;
  readonly id: string;
}

export interface ThreadFilter {
  readonly ownerId: string;
  /** The agents that the caller's key is limited to. */
  readonly reach?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  /** Only threads of this project, which the person can read. */
  readonly projectId?: string | undefined;
  /** Of the project's threads, only those that the person started. */
  readonly mine?: boolean | undefined;
  readonly archived: boolean;
  /** Only threads that this started; `others` are those that a message started. */
  readonly origin?: ThreadOrigin | "others" | undefined;
  /** With `origin`: which schedule, board or the like. */
  readonly triggerId?: string | undefined;
  /** Status of the newest run. */
  readonly statuses?: readonly string[] | undefined;
  /** All of them must be in the title, or in one message. */
  readonly words: readonly SearchTerm[];
  readonly after?: ThreadPlace | undefined;
  readonly limit: number;
}

/** A person's threads: best matches of a search first, then pinned ones, then the most recently changed. */
export async function selectThreadPage(database: Database, filter: ThreadFilter): Promise<ThreadPlace[]> {
  const statement = new Statement();
  const project = filter.projectId === undefined ? null : statement.add(filter.projectId);
  const owner = project === null || filter.mine ? statement.add(filter.ownerId) : "";
  const reach = filter.reach?.map((agentId) => statement.add(agentId));
  const among = (thread: string) => {
    const inReach = homeInReachSql(reach, thread);
    if (project !== null) return `${thread}."projectId" = ${project}${inReach}`;
    const isMine = isOwn(thread, owner);
    return `${filter.words.length === 0 ? isMine : `(${isMine} or ${isShared(thread, owner)})`}${inReach}`;
  };
  const found = filter.words.length === 0 ? null : await search(database, statement, { words: filter.words, among });
  const conditions = [
    ...(project !== null && filter.mine ? [`t."ownerId" = ${owner}`] : []),
    among("t"),
    ...isListed(statement, filter),
  ];
  const { after } = filter;
  const place = after && [after.rank, after.pinned, after.updatedAt, after.id].map((value) => statement.add(value));
  const isAfter = (row: string) =>
    place ? `(${row}."rank", ${row}."pinned", ${row}."updatedAt", ${row}."id") < (${place.join(", ")})` : "1 = 1";
  const limit = statement.add(filter.limit);
  const page = `select t."id", t."pinned", t."updatedAt", ${found?.rank ?? "0"} as "rank"
    from "thread" t ${found?.join ?? ""} where ${[...conditions, found?.condition ?? "1 = 1"].join(" and ")}`;
  const others = found?.others?.({ conditions, isAfter, limit }) ?? "";
  const rows = await database.readAside(
    `${found?.common ?? ""} select p.* from (${page} ${others}) p where ${isAfter("p")}
     order by p."rank" desc, p."pinned" desc, p."updatedAt" desc, p."id" desc limit ${limit}`,
    statement.parameters,
  );
  return readRows<ThreadPlace>(rows, { dates: ["updatedAt"], flags: ["pinned"] });
}

function isListed(statement: Statement, filter: ThreadFilter): string[] {
  const { archived, agentId, statuses, origin, triggerId } = filter;
  const place = triggerId === undefined ? null : statement.add(triggerId);
  return [
    `t."deletedAt" is null and t."parentThreadId" is null`,
    ...isFromOrigin(origin, place),
    `t."archivedAt" is ${archived ? "not null" : "null"}`,
    ...(agentId === undefined ? [] : [`t."agentId" = ${statement.add(agentId)}`]),
    ...(statuses === undefined ? [] : [hasStatus(statuses.map((status) => statement.add(status)))]),
  ];
}

/**
 * If more messages than this match, many threads have one, and checking thread after thread in order until the page is
 * full is faster than reading all that the index names.
 */
const COMMON = 3_000;
/** Of several words: few of the messages that the index names have all of them, so most threads would be read. */
const COMMON_TOGETHER = 12_000;

/** While the index lacks more messages than this, all texts are read instead. */
const MOST_PENDING = 3_000;

/** Started by the person outside of projects, or in a project that is now deleted. */
function isOwn(thread: string, owner: string): string {
  return `${thread}."ownerId" = ${owner} and (${thread}."projectId" is null or exists (
    select 1 from "project" gone join "project_member" had on had."projectId" = gone."id" and had."userId" = ${owner}
    where gone."id" = ${thread}."projectId" and gone."deletedAt" is not null))`;
}

/** In a project that the person is a member of. */
function isShared(thread: string, owner: string): string {
  return `${thread}."projectId" in (select pm."projectId" from "project_member" pm
    join "project" shared on shared."id" = pm."projectId" and shared."deletedAt" is null where pm."userId" = ${owner})`;
}

interface Search {
  readonly words: readonly SearchTerm[];
  /** Whose threads are searched, as a condition on the thread of that name. */
  readonly among: (thread: string) => string;
}

interface Rest {
  readonly conditions: readonly string[];
  readonly isAfter: (row: string) => string;
  readonly limit: string;
}

interface Found {
  readonly condition: string;
  readonly rank: string;
  readonly join: string;
  /** Precedes the statement: rows that it uses in several places. */
  readonly common: string;
  /** Further threads, of rank 0, no more than fit on the page; absent if the condition finds all. */
  readonly others?: (rest: Rest) => string;
}

async function search(database: Database, statement: Statement, { words, among }: Search): Promise<Found> {
  const { dialect } = database;
  // Read before the index: what is added to it meanwhile is here still.
  const pending = await selectPending(database, MOST_PENDING);
  const isNearlyWhole = pending.length < MOST_PENDING;
  const phrase = inARow(words);
  const [title, titlePhrase] = [hasAll(statement, dialect, TITLE, words), hasAll(statement, dialect, TITLE, [phrase])];
  const few = isNearlyWhole ? await fewInTexts(database, words) : null;
  const sources = (texts: readonly SearchTerm[], candidates: readonly IndexedText[] | null) => {
    if (!isNearlyWhole) return [ALL_TEXTS];
    const index = candidates ? named(statement, dialect, candidates) : indexed(statement, dialect, texts);
    if (index === null) return [ALL_TEXTS];
    return pending.length === 0 ? [index] : [index, messagesNamed(statement, dialect, pending)];
  };
  const hits = (texts: readonly SearchTerm[], more = "", candidates: readonly IndexedText[] | null = null) => {
    const isHit = hasAll(statement, dialect, textOf("m"), texts);
    return sources(texts, candidates)
      .map(({ from, where, joins }) => {
        const all = [...where, ...joins, `mine."id" = m."threadId"`, among("mine"), isHit].join(" and ");
        return `select m."threadId"${more} from ${from} cross join "thread" mine where ${all}`;
      })
      .join(" union ");
  };
  const isInRow = `h."threadId" is not null`;
  const hasPhrase = words.length > 1;
  const join = hasPhrase ? `left join "in_row" h on h."threadId" = t."id"` : "";
  const rank = `case when ${titlePhrase} then 3 when ${title} then 2 ${hasPhrase ? `when ${isInRow} then 1` : ""} else 0 end`;
  if (few !== null) {
    // A message with the words in a row has all of them.
    const inRow = hasAll(statement, dialect, textOf("m"), [phrase]);
    const found = hits(words, `, case when ${inRow} then 1 else 0 end as "isInRow"`, few);
    const common = `with "found" as materialized (${found}),
      "in_row" as (select distinct "threadId" from "found" where "isInRow" = 1)`;
    return { condition: `(${title} or t."id" in (select "threadId" from "found"))`, rank, join, common };
  }
  const common = hasPhrase ? `with "in_row" as materialized (${hits([phrase])})` : "";
  const isBest = hasPhrase ? `(${title} or ${isInRow})` : `(${title})`;
  const inText = hasAll(statement, dialect, textOf("m"), words);
  return {
    condition: isBest,
    rank,
    join,
    common,
    // Sorted first, so that texts are only read until there are enough. Not "exists", for which Postgres would read the
    // texts of all threads.
    others: ({ conditions, isAfter, limit }) => `union all select * from (
      select o.* from (
        select t."id", t."pinned", t."updatedAt", 0 as "rank" from "thread" t ${join}
        where ${conditions.join(" and ")} and ${isBest} is not true
        order by t."pinned" desc, t."updatedAt" desc, t."id" desc limit ${MOST_THREADS}) o
      where ${isAfter("o")} and (select m."id" from "transcript_message" m
        where m."threadId" = o."id" and ${inText} limit 1) is not null
      limit ${limit}) others`,
  };
}

/** Keeps the databases from looking into threads before they are in order. */
const MOST_THREADS = 1_000_000_000;

// SQLite reads the tables of a cross join in this order, and would otherwise read all texts to find those in a short
// list. To Postgres it is an ordinary join.
const ALL_TEXTS = { from: `"transcript_message" m`, where: [], joins: [] };

interface SearchedText {
  readonly text: string;
  /** Null if the text is ASCII, or not folded yet. */
  readonly folded: string;
}
const TITLE: SearchedText = { text: `t."title"`, folded: `t."folded"` };
const textOf = (message: string): SearchedText => ({ text: `${message}."text"`, folded: `${message}."folded"` });

/** The words as one text. */
function inARow(words: readonly SearchTerm[]): SearchTerm {
  const isTyped = words.some(({ typed }) => typed !== null);
  return {
    folded: words.map(({ folded }) => folded).join(" "),
    typed: isTyped ? words.map(({ folded, typed }) => typed ?? folded).join(" ") : null,
  };
}

function hasAll(
  statement: Statement,
  { provider }: Dialect,
  { text, folded }: SearchedText,
  terms: readonly SearchTerm[],
): string {
  const like = (column: string, part: string) =>
    `${column} ${provider === "postgresql" ? "ilike" : "like"} ${statement.add(likePattern(part))} escape '\\'`;
  return terms
    .map((term) => {
      const isFound = like(`coalesce(${folded}, ${text})`, term.folded);
      return term.typed === null ? isFound : `(${isFound} or ${like(text, term.typed)})`;
    })
    .join(" and ");
}

interface IndexedText {
  readonly id: string | number;
}

/** The messages that may have all the words according to the index; null if there are many, or if it can't tell. */
async function fewInTexts(database: Database, words: readonly SearchTerm[]): Promise<IndexedText[] | null> {
  const statement = new Statement();
  const source = indexed(statement, database.dialect, words);
  if (source === null) return null;
  const where = source.where.join(" and ");
  const common = words.length > 1 ? COMMON_TOGETHER : COMMON;
  const rows = await database.readAside<IndexedText>(
    `select ${source.id} as "id" from ${source.index} where ${where} limit ${common}`,
    statement.parameters,
  );
  return rows.length < common ? rows : null;
}

function messagesNamed(statement: Statement, dialect: Dialect, found: readonly IndexedText[]) {
  const rows = dialect.rows("c", { id: "text" }, statement.add(sqlJson(found)));
  return { from: `${rows} cross join "transcript_message" m`, where: [], joins: [`m."id" = c."id"`] };
}

/** These messages: so the index is read only once. */
function named(statement: Statement, dialect: Dialect, found: readonly IndexedText[]) {
  if (dialect.provider === "postgresql") return messagesNamed(statement, dialect, found);
  const ids = statement.add(sqlJson(found));
  return {
    from: `${dialect.rows("c", { id: "integer" }, ids)} cross join "search_message" s cross join "transcript_message" m`,
    where: [],
    joins: [`s."id" = c."id"`, `m."id" = s."messageId"`],
  };
}

/** Messages that may have all the texts according to the index; null if it can't tell. */
function indexed(statement: Statement, { provider }: Dialect, terms: readonly SearchTerm[]) {
  const options = terms.map(({ folded, typed }) => (typed === null ? [folded] : [folded, typed]));
  if (provider === "postgresql") {
    const known = options.filter((texts) => texts.every(hasGrams));
    if (known.length === 0) return null;
    const index = `"search_message" s`;
    const where = known.map(
      (texts) => `(${texts.map((text) => `s."grams" @@ search_query(${statement.add(text)})`).join(" or ")})`,
    );
    const from = `${index} cross join "transcript_message" m`;
    return { index, id: `s."messageId"`, from, where, joins: [`m."id" = s."messageId"`] };
  }
  const known = options.map((texts) => texts.map(gramsOf)).filter((texts) => texts.every(({ length }) => length > 0));
  if (known.length === 0) return null;
  const index = `"search_text" x`;
  const match = known.map((texts) => `(${texts.map((grams) => `(${grams.map(quoted).join(" AND ")})`).join(" OR ")})`);
  return {
    index,
    id: `x."rowid"`,
    from: `${index} cross join "search_message" s cross join "transcript_message" m`,
    where: [`x."search_text" match ${statement.add(match.join(" AND "))}`],
    joins: [`s."id" = x."rowid"`, `m."id" = s."messageId"`],
  };
}

/** Whether the index of Postgres can tell. */
function hasGrams(text: string): boolean {
  return [...text].length > 2 || /^[\u{2e80}-\u{10ffff}]{2}$/u.test(text);
}

const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** A word's trigrams. */
function gramsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
}

/** A LIKE pattern, with the escape character `\`. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

function hasStatus(statuses: readonly string[]): string {
  return `(select r."status" from "run" r where r."threadId" = t."id" and r."parentRunId" is null
    and r."heldAt" is null order by r."position" desc limit 1) in (${statuses.join(", ")})`;
}

class Statement {
  readonly parameters: SqlValue[] = [];

  /** Adds the value and returns its parameter. */
  add(value: SqlValue): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }
}

/** How much of a text is read before a match, and in all. */
const EXCERPT = { before: 80, chars: 400 };
/** A folded text may be shorter or longer: where it has a match is only about where the text has it. */
const ABOUT = { before: 20_000, chars: 40_000 };

interface Excerpt {
  readonly threadId: string;
  readonly messageId: string;
  readonly excerpt: string;
}

/**
 * For each thread with a message that has all the words, the newest such message, preferring those with the words in a
 * row, and its excerpt around the words; by thread.
 */
export async function selectExcerpts(
  database: Database,
  threadIds: readonly string[],
  words: readonly SearchTerm[],
): Promise<Map<string, Excerpt>> {
  const { dialect } = database;
  const statement = new Statement();
  const row = inARow(words);
  const [ids, phrase, first] = [sqlJson(threadIds.map((id) => ({ id }))), row.folded, words[0]?.folded ?? ""].map(
    (text) => statement.add(text),
  );
  const find = dialect.provider === "postgresql" ? "strpos" : "instr";
  const at = (place: string | undefined) =>
    `nullif(${find}(lower(coalesce(m."folded", m."text")), lower(${place})), 0)`;
  const place = `coalesce(${at(phrase)}, ${at(first)}, 1)`;
  const inRow =
    words.length > 1 ? `case when ${hasAll(statement, dialect, textOf("x"), [row])} then 0 else 1 end,` : "";
  const rows = await database.readAside<Excerpt>(
    `select f."threadId", f."messageId", case when f."foldedChars" is null
         then ${part(`f."place"`, EXCERPT)}
         else ${part(`cast(1.0 * f."place" * length(f."text") / f."foldedChars" as integer)`, ABOUT)} end as "excerpt"
     from (select m."threadId", m."id" as "messageId", m."text", nullif(length(m."folded"), 0) as "foldedChars",
         ${place} as "place"
       from ${dialect.rows("t", { id: "text" }, ids ?? "")}
       join "transcript_message" m on m."id" =
         (select x."id" from "transcript_message" x
          where x."threadId" = t."id" and ${hasAll(statement, dialect, textOf("x"), words)}
          order by ${inRow} x."position" desc limit 1)) f`,
    statement.parameters,
  );
  return new Map(rows.map((found) => [found.threadId, found]));
}

function part(place: string, { before, chars }: typeof EXCERPT): string {
  return `substr(f."text", case when ${place} > ${before} then ${place} - ${before} else 1 end, ${chars})`;
}
