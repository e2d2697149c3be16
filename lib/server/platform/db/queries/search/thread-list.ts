import type { ThreadOrigin } from "@/lib/schema/threads/thread";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import { homeInReachSql } from "@/lib/server/platform/within-reach";
import type { SearchTerm } from "./fold-texts";
import { fewInTexts, type IndexedText, messagesNamed, named } from "./indexed-texts";
import { hasAll, inARow, type SearchedText, Statement, TITLE, textOf } from "./search-statement";
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
  const found =
    filter.words.length === 0 ? null : await search(database, statement, { words: filter.words, among, limits });
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
  const { common = "", others = "" } = found?.rest({ conditions, isAfter, limit }) ?? {};
  const rows = await database.readAside(
    `${common} select p.* from (${page} ${others}) p where ${isAfter("p")}
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
  readonly limits: SearchLimits;
}

interface Rest {
  readonly conditions: readonly string[];
  readonly isAfter: (row: string) => string;
  readonly limit: string;
}

interface Found {
  /** The threads that are ranked by what is known beforehand; those that the texts must be read for are `others`. */
  readonly condition: string;
  readonly rank: string;
  readonly join: string;
  /** What precedes the statement, rows that it uses in several places, and what is added to the ranked threads. */
  readonly rest: (rest: Rest) => { readonly common?: string; readonly others?: string };
}

async function search(database: Database, statement: Statement, { words, among, limits }: Search): Promise<Found> {
  const { dialect } = database;
  // Read before the index: what is added to it meanwhile is here still.
  const pending = await selectPending(database, MOST_PENDING);
  const isNearlyWhole = pending.length < MOST_PENDING;
  const phrase = inARow(words);
  const hasPhrase = words.length > 1;
  const isIn = (text: SearchedText, texts: readonly SearchTerm[]) => hasAll(statement, dialect, text, texts);
  const [title, titlePhrase] = [isIn(TITLE, words), isIn(TITLE, [phrase])];
  const few = isNearlyWhole ? await fewInTexts(database, words, hasPhrase ? limits.words : limits.word) : null;
  const fewInRow =
    few === null && hasPhrase && isNearlyWhole ? await fewInTexts(database, [phrase], limits.inARow) : null;
  const hits = (candidates: readonly IndexedText[], texts: readonly SearchTerm[], more = "") => {
    const sources = [named(statement, dialect, candidates)];
    if (pending.length > 0) sources.push(messagesNamed(statement, dialect, pending));
    return sources
      .map(({ from, joins }) => {
        const all = [...joins, `mine."id" = m."threadId"`, among("mine"), isIn(textOf("m"), texts)].join(" and ");
        return `select distinct m."threadId"${more} from ${from} cross join "thread" mine where ${all}`;
      })
      .join(" union ");
  };
  const isInRow = `h."threadId" is not null`;
  const byTitle = `when ${titlePhrase} then 3 when ${title} then 2`;
  const rowsFirst = {
    rank: `case ${byTitle} when ${isInRow} then 1 else 0 end`,
    join: `left join "in_row" h on h."threadId" = t."id"`,
  };
  const titlesFirst = { rank: `case ${byTitle} else 0 end`, join: "" };
  if (few !== null) {
    // A message with the words in a row has all of them.
    const found = hits(few, words, `, case when ${isIn(textOf("m"), [phrase])} then 1 else 0 end as "isInRow"`);
    const common = `with "found" as materialized (${found}),
      "in_row" as (select distinct "threadId" from "found" where "isInRow" = 1)`;
    const condition = `(${title} or t."id" in (select "threadId" from "found"))`;
    return { ...(hasPhrase ? rowsFirst : titlesFirst), condition, rest: () => ({ common }) };
  }
  const inText = hasMessage(isIn(textOf("m"), words));
  if (fewInRow !== null) {
    const isBest = `(${title} or ${isInRow})`;
    const common = `with "in_row" as materialized (${hits(fewInRow, [phrase])})`;
    const isOther = `${isBest} is not true`;
    const others = (rest: Rest) =>
      `union all select * from (${inOrder(rest, { isOther, rank: 0, join: rowsFirst.join }, inText)}) others`;
    return { ...rowsFirst, condition: isBest, rest: (rest) => ({ common, others: others(rest) }) };
  }
  const isOther = `(${title}) is not true`;
  if (!hasPhrase) {
    const others = (rest: Rest) => `union all select * from (${inOrder(rest, { isOther, rank: 0 }, inText)}) others`;
    return { ...titlesFirst, condition: `(${title})`, rest: (rest) => ({ others: others(rest) }) };
  }
  const inRow = hasMessage(isIn(textOf("m"), [phrase]));
  return {
    ...titlesFirst,
    condition: `(${title})`,
    rest: (rest) => {
      // Without words in a row only if those with them do not fill the page.
      const isNeeded = `(select count(*) from "in_row") < ${rest.limit}`;
      const apart = inOrder(rest, { isOther, rank: 0 }, `${isNeeded} and ${inText} and not ${inRow}`);
      return {
        common: `with "in_row" as materialized (${inOrder(rest, { isOther, rank: 1 }, inRow)})`,
        others: `union all select * from "in_row" union all select * from (${apart}) others`,
      };
    },
  };
}

/** Not "exists", for which Postgres would read the texts of all threads. */
function hasMessage(isHit: string): string {
  return `((select m."id" from "transcript_message" m where m."threadId" = o."id" and ${isHit} limit 1) is not null)`;
}

interface Others {
  readonly isOther: string;
  readonly rank: number;
  readonly join?: string;
}

/** The next threads with such a message. Sorted first, so that texts are only read until there are enough. */
function inOrder({ conditions, isAfter, limit }: Rest, { isOther, rank, join = "" }: Others, isFound: string): string {
  return `select o.* from (
      select t."id", t."pinned", t."updatedAt", ${rank} as "rank" from "thread" t ${join}
      where ${conditions.join(" and ")} and ${isOther}
      order by t."pinned" desc, t."updatedAt" desc, t."id" desc limit ${MOST_THREADS}) o
    where ${isAfter("o")} and ${isFound} limit ${limit}`;
}

/** Keeps the databases from looking into threads before they are in order. */
const MOST_THREADS = 1_000_000_000;

function hasStatus(statuses: readonly string[]): string {
  return `(select r."status" from "run" r where r."threadId" = t."id" and r."parentRunId" is null
    and r."heldAt" is null order by r."position" desc limit 1) in (${statuses.join(", ")})`;
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
