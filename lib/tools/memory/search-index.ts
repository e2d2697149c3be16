import MiniSearch from "minisearch";
import { fold } from "@/lib/schema/fold";

/** A searchable text. `id` is unique within the index. */
interface SearchDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface SearchHit {
  readonly id: string;
  readonly score: number;
}

export type SearchIndex = MiniSearch<SearchDocument>;

/** Stop words: without this list every sentence would match every other. */
const STOP_WORDS = new Set(
  "a about an and are as at be but by can do does for from had has have how i if in into is it its me my no not of on or our please should so than that the their then there these they this to up us was we were what when where which who why will with would you your".split(
    " ",
  ),
);

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** An empty BM25 index over titles and texts; a title counts three times. */
export function createSearchIndex(): SearchIndex {
  return new MiniSearch<SearchDocument>({
    fields: ["title", "text"],
    tokenize: splitWords,
    processTerm: (term) => (STOP_WORDS.has(term) ? null : term),
    searchOptions: { boost: { title: 3 }, prefix: (term) => term.length > 3 },
  });
}

/** The best hits, best first, except those that score below `leastShare` of the best one. */
export function searchIndex(index: SearchIndex, query: string, { top = 5, leastShare = 0 } = {}): SearchHit[] {
  const hits = index.search(query.slice(0, MAX_QUERY_CHARS));
  const least = (hits[0]?.score ?? 0) * leastShare;
  return hits
    .filter(({ score }) => score >= least)
    .slice(0, top)
    .map(({ id, score }) => ({ id: String(id), score }));
}

const MAX_QUERY_CHARS = 2_000;

/** Splits text of any language into words without case and accents; languages without spaces are segmented too. */
function splitWords(text: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of words.segment(text)) if (isWordLike) found.push(fold(segment));
  return found;
}
