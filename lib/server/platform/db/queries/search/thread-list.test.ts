import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { indexPending } from "./text-index";
import { selectThreadPage, type ThreadPlace } from "./thread-list";

const WORDS = ["alpha", "bravo", "carol", "delta"];
const THREADS = 40;
const MESSAGES = 3;
/** Also parts of words that are too short for the index. */
const SEARCHES = [
  ["alpha"],
  ["alpha", "bravo"],
  ["bravo", "alpha"],
  ["alpha", "carol", "delta"],
  ["al", "br"],
  ["xyzzy"],
];

const WHOLE = { word: 1_000, words: 1_000, inARow: 1_000 };
const LIMITS = {
  "a few messages are read": WHOLE,
  "those with the words in a row are read": { ...WHOLE, words: 1 },
  "thread after thread is read": { word: 1, words: 1, inARow: 1 },
};

let opened: TestDatabase;
/** By thread: the title and the texts of its messages. */
const threads: { readonly id: string; readonly updatedAt: Date; readonly title: string; readonly texts: string[] }[] =
  [];

beforeAll(async () => {
  opened = await createTestDatabase();
  const { database } = opened;
  await database.user.create({ data: { id: "u1", name: "Ada", email: "ada@example.test" } });
  await database.agent.create({ data: { id: "writer" } });
  for (let number = 0; number < THREADS; number += 1) {
    threads.push({
      id: `t${number}`,
      updatedAt: new Date(Date.UTC(2026, 0, 1 + ((number * 7) % THREADS))),
      title: number % 9 === 0 ? wordsOf(number + 5) : "untitled",
      texts: Array.from({ length: MESSAGES }, (_, index) => wordsOf(number * MESSAGES + index)),
    });
  }
  await database.thread.createMany({
    data: threads.map(({ id, updatedAt, title }) => ({
      ...{ id, clientId: id, ownerId: "u1", agentId: "writer", title, updatedAt },
      pinned: Number(id.slice(1)) % 13 === 0,
    })),
  });
  await database.transcriptMessage.createMany({
    data: threads.flatMap(({ id, texts }) =>
      texts.map((text, index) => ({
        ...{ id: `${id}_${index}`, threadId: id, runId: "r1", position: index + 1, text, role: "user" },
        parts: JSON.stringify([{ type: "text", text }]),
      })),
    ),
  });
  while ((await indexPending(database, 100)) > 0);
});
afterAll(() => opened.close());

/** Three words, the same each time. */
function wordsOf(seed: number): string {
  return [seed, seed * 3 + 1, Math.floor(seed / 3)].map((number) => WORDS[number % WORDS.length]).join(" ");
}

/** All pages, of seven each. */
async function pages(words: readonly string[], limits: typeof WHOLE): Promise<ThreadPlace[]> {
  const found: ThreadPlace[] = [];
  for (;;) {
    const terms = words.map((folded) => ({ folded, typed: null }));
    const filter = { ownerId: "u1", archived: false, words: terms, after: found.at(-1), limit: 7 };
    const page = await selectThreadPage(opened.database, filter, limits);
    found.push(...page);
    if (page.length < 7) return found;
  }
}

function rankOf(words: readonly string[], { title, texts }: (typeof threads)[number]): number | null {
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const row = words.join(" ");
  if (title.includes(row)) return 3;
  if (hasAll(title)) return 2;
  if (words.length > 1 && texts.some((text) => text.includes(row))) return 1;
  return texts.some(hasAll) ? 0 : null;
}

test.each(Object.entries(LIMITS))("each thread is found once, in order and page by page: %s", async (_, limits) => {
  for (const words of SEARCHES) {
    const found = await pages(words, limits);
    const expected = threads
      .map((thread) => ({ ...thread, rank: rankOf(words, thread), pinned: Number(thread.id.slice(1)) % 13 === 0 }))
      .filter(({ rank }) => rank !== null)
      .sort(
        (one, other) =>
          Number(other.rank) - Number(one.rank) ||
          Number(other.pinned) - Number(one.pinned) ||
          other.updatedAt.getTime() - one.updatedAt.getTime(),
      );
    expect(
      found.map(({ id, rank }) => [id, rank]),
      words.join(" "),
    ).toEqual(expected.map(({ id, rank }) => [id, rank]));
  }
});
