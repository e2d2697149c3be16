import { type Expression, sql } from "kysely";
import type { ThreadOrigin } from "@/lib/schema/threads/thread";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { homeInReach } from "@/lib/server/platform/db/queries/search/threads-in-reach";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SearchTerm } from "./fold-texts";
import { fewInTexts, type IndexedText, messagesNamed, named } from "./indexed-texts";
import { all, hasAll, inARow, NOTHING, type Part, type SearchedText, TITLE, textOf } from "./search-terms";
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
export async function selectThreadPage(
  database: Database,
  filter: ThreadFilter,
  limits = LIMITS,
): Promise<ThreadPlace[]> {
  const { projectId, mine, ownerId, words, after } = filter;
  const among = (thread: string) => {
    const inReach = homeInReach(filter.reach, thread);
    if (projectId !== undefined) return sql`${sql.ref(`${thread}.projectId`)} = ${projectId} and ${inReach}`;
    const isMine = isOwn(thread, ownerId);
    return sql`${words.length === 0 ? isMine : sql`(${isMine} or ${isShared(thread, ownerId)})`} and ${inReach}`;
  };
  const found = words.length === 0 ? null : await search(database, { words, among, limits });
  const conditions = [
    ...(projectId !== undefined && mine ? [sql`t."ownerId" = ${ownerId}`] : []),
    among("t"),
    ...isListed(filter),
  ];
  const place = after && sql.join([after.rank, after.pinned, sqlTimestamp(after.updatedAt), after.id]);
  const isAfter = (row: string) => {
    const columns = ["rank", "pinned", "updatedAt", "id"].map((name) => sql.ref(`${row}.${name}`));
    return place ? sql`(${sql.join(columns)}) < (${place})` : sql`1 = 1`;
  };
  const isOnPage = all([...conditions, found?.condition ?? sql`1 = 1`]);
  const page = sql`select t."id", t."pinned", t."updatedAt", ${found?.rank ?? sql`0`} as "rank"
    from "thread" t ${found?.join ?? NOTHING} where ${isOnPage}`;
  const { common = NOTHING, others = NOTHING } = found?.rest({ conditions, isAfter, limit: filter.limit }) ?? {};
  const rows = await database.readAside(
    textStatement(sql<PlaceRow>`${common} select p.* from (${page} ${others}) p where ${isAfter("p")}
      order by p."rank" desc, p."pinned" desc, p."updatedAt" desc, p."id" desc limit ${filter.limit}`),
  );
  return withDates(rows, "updatedAt");
}

type PlaceRow = Omit<ThreadPlace, "updatedAt"> & { readonly updatedAt: string };

function isListed({ archived, agentId, statuses, origin, triggerId }: ThreadFilter): Expression<unknown>[] {
  return [
    sql`t."deletedAt" is null and t."parentThreadId" is null`,
    ...isFromOrigin(origin, triggerId),
    archived ? sql`t."archivedAt" is not null` : sql`t."archivedAt" is null`,
    ...(agentId === undefined ? [] : [sql`t."agentId" = ${agentId}`]),
    ...(statuses === undefined ? [] : [hasStatus(statuses)]),
  ];
}

/** How many messages may match, as far as the index can tell, for all of them to be read. */
interface SearchLimits {
  /**
   * Of one word. If more match, many threads have one, and checking thread after thread in order until the page is full
   * is faster than reading all that the index names.
   */
  readonly word: number;
  /** Of several words: few of the messages have all of them, so most threads would be read. */
  readonly words: number;
  /** Of several words in a row, which even fewer of the messages have. */
  readonly inARow: number;
}
const LIMITS: SearchLimits = { word: 3_000, words: 12_000, inARow: 20_000 };

/** While the index lacks more messages than this, all texts are read instead. */
const MOST_PENDING = 3_000;

/** Started by the person outside of projects, or in a project that is now deleted. */
function isOwn(thread: string, ownerId: string): Part {
  const project = sql.ref(`${thread}.projectId`);
  return sql`${sql.ref(`${thread}.ownerId`)} = ${ownerId} and (${project} is null or exists (
    select 1 from "project" gone join "project_member" had on had."projectId" = gone."id" and had."userId" = ${ownerId}
    where gone."id" = ${project} and gone."deletedAt" is not null))`;
}

/** In a project that the person is a member of. */
function isShared(thread: string, ownerId: string): Part {
  return sql`${sql.ref(`${thread}.projectId`)} in (select pm."projectId" from "project_member" pm
    join "project" shared on shared."id" = pm."projectId" and shared."deletedAt" is null where pm."userId" = ${ownerId})`;
}

interface Search {
  readonly words: readonly SearchTerm[];
  /** Whose threads are searched, as a condition on the thread of that name. */
  readonly among: (thread: string) => Part;
  readonly limits: SearchLimits;
}

interface Rest {
  readonly conditions: readonly Expression<unknown>[];
  readonly isAfter: (row: string) => Part;
  readonly limit: number;
}

interface Found {
  /** The threads that are ranked by what is known beforehand; those that the texts must be read for are `others`. */
  readonly condition: Part;
  readonly rank: Part;
  readonly join: Part;
  /** What precedes the statement, rows that it uses in several places, and what is added to the ranked threads. */
  readonly rest: (rest: Rest) => { readonly common?: Part; readonly others?: Part };
}

async function search(database: Database, { words, among, limits }: Search): Promise<Found> {
  const { dialect } = database;
  // Read before the index: what is added to it meanwhile is here still.
  const pending = await selectPending(database, MOST_PENDING);
  const isNearlyWhole = pending.length < MOST_PENDING;
  const phrase = inARow(words);
  const hasPhrase = words.length > 1;
  const isIn = (text: SearchedText, texts: readonly SearchTerm[]) => hasAll(dialect, text, texts);
  const [title, titlePhrase] = [isIn(TITLE, words), isIn(TITLE, [phrase])];
  const few = isNearlyWhole ? await fewInTexts(database, words, hasPhrase ? limits.words : limits.word) : null;
  const fewInRow =
    few === null && hasPhrase && isNearlyWhole ? await fewInTexts(database, [phrase], limits.inARow) : null;
  const hits = (candidates: readonly IndexedText[], texts: readonly SearchTerm[], more = NOTHING) => {
    const sources = [named(dialect, candidates)];
    if (pending.length > 0) sources.push(messagesNamed(dialect, pending));
    const selects = sources.map(({ from, joins }) => {
      const isHit = all([...joins, sql`mine."id" = m."threadId"`, among("mine"), isIn(textOf("m"), texts)]);
      return sql`select distinct m."threadId"${more} from ${from} cross join "thread" mine where ${isHit}`;
    });
    return sql.join(selects, sql` union `);
  };
  const isInRow = sql`h."threadId" is not null`;
  const byTitle = sql`when ${titlePhrase} then 3 when ${title} then 2`;
  const rowsFirst = {
    rank: sql`case ${byTitle} when ${isInRow} then 1 else 0 end`,
    join: sql`left join "in_row" h on h."threadId" = t."id"`,
  };
  const titlesFirst = { rank: sql`case ${byTitle} else 0 end`, join: NOTHING };
  if (few !== null) {
    // A message with the words in a row has all of them.
    const found = hits(few, words, sql`, case when ${isIn(textOf("m"), [phrase])} then 1 else 0 end as "isInRow"`);
    const common = sql`with "found" as materialized (${found}),
      "in_row" as (select distinct "threadId" from "found" where "isInRow" = 1)`;
    const condition = sql`(${title} or t."id" in (select "threadId" from "found"))`;
    return { ...(hasPhrase ? rowsFirst : titlesFirst), condition, rest: () => ({ common }) };
  }
  const inText = hasMessage(isIn(textOf("m"), words));
  if (fewInRow !== null) {
    const isBest = sql`(${title} or ${isInRow})`;
    const common = sql`with "in_row" as materialized (${hits(fewInRow, [phrase])})`;
    const isOther = sql`${isBest} is not true`;
    const others = (rest: Rest) =>
      sql`union all select * from (${inOrder(rest, { isOther, rank: 0, join: rowsFirst.join }, inText)}) others`;
    return { ...rowsFirst, condition: isBest, rest: (rest) => ({ common, others: others(rest) }) };
  }
  const isOther = sql`(${title}) is not true`;
  if (!hasPhrase) {
    const others = (rest: Rest) => sql`union all select * from (${inOrder(rest, { isOther, rank: 0 }, inText)}) others`;
    return { ...titlesFirst, condition: sql`(${title})`, rest: (rest) => ({ others: others(rest) }) };
  }
  const inRow = hasMessage(isIn(textOf("m"), [phrase]));
  return {
    ...titlesFirst,
    condition: sql`(${title})`,
    rest: (rest) => {
      // Without words in a row only if those with them do not fill the page.
      const isNeeded = sql`(select count(*) from "in_row") < ${rest.limit}`;
      const apart = inOrder(rest, { isOther, rank: 0 }, sql`${isNeeded} and ${inText} and not ${inRow}`);
      return {
        common: sql`with "in_row" as materialized (${inOrder(rest, { isOther, rank: 1 }, inRow)})`,
        others: sql`union all select * from "in_row" union all select * from (${apart}) others`,
      };
    },
  };
}

/** Not "exists", for which Postgres would read the texts of all threads. */
function hasMessage(isHit: Part): Part {
  return sql`((select m."id" from "transcript_message" m where m."threadId" = o."id" and ${isHit} limit 1) is not null)`;
}

interface Others {
  readonly isOther: Part;
  readonly rank: number;
  readonly join?: Part;
}

/** The next threads with such a message. Sorted first, so that texts are only read until there are enough. */
function inOrder({ conditions, isAfter, limit }: Rest, { isOther, rank, join = NOTHING }: Others, isFound: Part): Part {
  return sql`select o.* from (
      select t."id", t."pinned", t."updatedAt", ${sql.lit(rank)} as "rank" from "thread" t ${join}
      where ${all(conditions)} and ${isOther}
      order by t."pinned" desc, t."updatedAt" desc, t."id" desc limit ${sql.lit(MOST_THREADS)}) o
    where ${isAfter("o")} and ${isFound} limit ${limit}`;
}

/** Keeps the databases from looking into threads before they are in order. */
const MOST_THREADS = 1_000_000_000;

function hasStatus(statuses: readonly string[]): Part {
  return sql`(select r."status" from "run" r where r."threadId" = t."id" and r."parentRunId" is null
    and r."heldAt" is null order by r."position" desc limit 1) in (${sql.join(statuses)})`;
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
  const row = inARow(words);
  const find = dialect.provider === "postgresql" ? sql`strpos` : sql`instr`;
  const at = (text: string) => sql`nullif(${find}(lower(coalesce(m."folded", m."text")), lower(${text})), 0)`;
  const place = sql`coalesce(${at(row.folded)}, ${at(words[0]?.folded ?? "")}, 1)`;
  const inRow = words.length > 1 ? sql`case when ${hasAll(dialect, textOf("x"), [row])} then 0 else 1 end,` : NOTHING;
  const about = sql`cast(1.0 * f."place" * length(f."text") / f."foldedChars" as integer)`;
  const rows = await database.readAside(
    textStatement(sql<Excerpt>`select f."threadId", f."messageId", case when f."foldedChars" is null
        then ${part(sql`f."place"`, EXCERPT)} else ${part(about, ABOUT)} end as "excerpt"
      from (select m."threadId", m."id" as "messageId", m."text", nullif(length(m."folded"), 0) as "foldedChars",
          ${place} as "place"
        from ${idRows(dialect, threadIds)} as t
        join "transcript_message" m on m."id" =
          (select x."id" from "transcript_message" x
           where x."threadId" = t."id" and ${hasAll(dialect, textOf("x"), words)}
           order by ${inRow} x."position" desc limit 1)) f`),
  );
  return new Map(rows.map((found) => [found.threadId, found]));
}

function part(place: Part, excerpt: typeof EXCERPT): Part {
  const [before, chars] = [sql.lit(excerpt.before), sql.lit(excerpt.chars)];
  return sql`substr(f."text", case when ${place} > ${before} then ${place} - ${before} else 1 end, ${chars})`;
}
