import "server-only";
import { z } from "zod";
import { findAllFolded, foldWithPlaces } from "@/lib/schema/fold";
import type { ProjectThreadSummary } from "@/lib/schema/projects/thread-project";
import { THREAD_STATES, type ThreadList, type ThreadSnippet } from "@/lib/schema/threads/thread";
import type { ThreadQuery } from "@/lib/schema/threads/thread-requests";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { CursorId, pageCursors, pageOfRows } from "@/lib/server/platform/db/page-of-rows";
import { foldNewTexts, type SearchTerm, searchTerm } from "@/lib/server/platform/db/queries/search/fold-texts";
import {
  selectExcerpts,
  selectThreadPage,
  type ThreadPlace,
} from "@/lib/server/platform/db/queries/search/thread-list";
import { requireProjectRole } from "@/lib/server/threads/projects/project-access";
import { projectThreadSummary } from "@/lib/server/threads/projects/project-thread-summary";
import { describeThreads, THREAD_FIELDS } from "@/lib/server/threads/thread-row";
import { listOriginGroups } from "./list-origin-groups";

const cursors = pageCursors(z.tuple([z.int(), z.boolean(), z.iso.datetime(), CursorId]));

/** The maximum number of words searched for. */
const MAX_WORDS = 12;
/** Quotes count around whole words only: 5" is a length. */
const QUOTED_OR_WORD = /(?<!\S)(?:"([^"]+)"|[“„]([^“”„]+)[“”]|«([^«»]+)»)(?!\S)|\S+/gu;

/**
 * The viewer's threads, or those of one of their projects: pinned first, then the most recently changed; in a search,
 * the best matches first. Threads of a single `/v1` request are not listed, and in the own list only counted those that
 * something else than a message started.
 */
export async function listThreads(database: Database, viewer: Reader, query: ThreadQuery): Promise<ThreadList> {
  const { q = "", agentId, archived, state, limit, cursor, projectId, mine, origin, triggerId } = query;
  if (projectId !== undefined) await requireProjectRole(database, projectId, viewer, "read");
  const typed = wordsOf(q);
  const unfolded = typed.length === 0 ? 0 : await foldNewTexts(database);
  const words = typed.map((word) => searchTerm(word, unfolded === 0));
  const isOwnList = typed.length === 0 && !archived && projectId === undefined && origin === undefined;
  const found = await selectThreadPage(database, {
    ownerId: viewer.id,
    reach: viewer.reach,
    agentId,
    archived,
    words,
    projectId,
    mine,
    statuses: state && THREAD_STATES[state],
    origin: isOwnList ? "others" : origin,
    triggerId,
    after: cursor === undefined ? undefined : placeOf(cursor),
    limit: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(found, limit, ({ rank, pinned, updatedAt, id }) =>
    cursors.write(rank, pinned, updatedAt.toISOString(), id),
  );
  const described = await describeThreads(database, await loadRows(database, page), viewer);
  const facts = projectId === undefined ? null : await projectThreadSummary(database, described);
  const threads = described.map((thread) => ({ ...thread, ...factsOf(facts?.get(thread.id)) }));
  const groups = isOwnList && cursor === undefined ? { groups: await listOriginGroups(database, viewer) } : {};
  if (words.length === 0) return { threads, nextCursor, ...groups };
  const excerpts = await selectExcerpts(
    database,
    page.map(({ id }) => id),
    words,
  );
  const withSnippets = threads.map((thread) => {
    const excerpt = excerpts.get(thread.id);
    const snippet = excerpt === undefined ? null : toSnippet(excerpt.excerpt, words);
    return excerpt === undefined || snippet === null
      ? thread
      : { ...thread, snippet: { ...snippet, messageId: excerpt.messageId } };
  });
  return { threads: withSnippets, nextCursor, ...(unfolded > 0 ? { unfolded } : {}) };
}

/** The words of a search; words between quotes are one. */
function wordsOf(q: string): string[] {
  const found = [...q.matchAll(QUOTED_OR_WORD)].slice(0, MAX_WORDS);
  return found.map(
    ([word, ...quoted]) =>
      quoted
        .find((text) => text !== undefined)
        ?.trim()
        .replaceAll(/\s+/gu, " ") || word,
  );
}

function factsOf(facts: ProjectThreadSummary | undefined) {
  return facts === undefined ? {} : { facts };
}

function placeOf(cursor: string) {
  const [rank, pinned, updatedAt, id] = cursors.read(cursor);
  return { rank, pinned, updatedAt: new Date(updatedAt), id };
}

/** The threads' rows in page order. */
async function loadRows(database: Database, page: readonly ThreadPlace[]) {
  const ids = page.map(({ id }) => id);
  const rows = await database.thread.findMany({ where: { id: { in: ids } }, select: THREAD_FIELDS });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const SNIPPET_CHARS = { before: 30, after: 120 };

/** Trims the database's excerpt to word boundaries; null if it contains none of the words after all. */
function toSnippet(excerpt: string, words: readonly SearchTerm[]): Omit<ThreadSnippet, "messageId"> | null {
  const text = foldWithPlaces(excerpt);
  const folded = words.map((word) => word.folded);
  const [match] = [folded.join(" "), ...folded].flatMap((word) => findAllFolded(text, word, 1));
  if (match === undefined) return null;
  const { start, end } = match;
  const before = oneLine(excerpt.slice(Math.max(0, start - SNIPPET_CHARS.before), start).replace(/^\S*\s/u, ""));
  const after = oneLine(excerpt.slice(end, end + SNIPPET_CHARS.after));
  return { before, match: oneLine(excerpt.slice(start, end)), after };
}

/** Collapses line breaks and other white space to one space, also at the ends, which adjoin the match. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").toWellFormed();
}
