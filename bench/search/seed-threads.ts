import { inChunks } from "../../lib/server/platform/db/in-chunks";
import { indexPending } from "../../lib/server/platform/db/queries/search/text-index";
import { isTiny } from "../is-tiny";

type Database = import("../../lib/server/platform/db/database").Database;

export const THREADS = isTiny ? 20 : 10_000;
const MESSAGES_PER_THREAD = 20;
export const MESSAGES = THREADS * MESSAGES_PER_THREAD;
/** In one message of ten thousand. */
export const RARE_WORD = "quasar";
/** In nearly every message. */
export const COMMON_WORD = "whale";

const PEOPLE = 10;
const BATCH_THREADS = Math.min(500, THREADS);
const WORDS_PER_MESSAGE = 90;
const VOCABULARY = 4_000;
const SYLLABLES = [
  "ba",
  "ce",
  "din",
  "fo",
  "gur",
  "ha",
  "jel",
  "ki",
  "lom",
  "mu",
  "nar",
  "pe",
  "qui",
  "ros",
  "su",
  "tav",
];

/** People with a thousand threads each, of twenty messages of some 500 characters, every fifth in a shared project. */
export async function seedThreads(db: Database): Promise<void> {
  const people = Array.from({ length: PEOPLE }, (_, index) => index);
  await db.user.createMany({
    data: people.map((index) => ({ id: `u${index}`, name: `Person ${index}`, email: `p${index}@example.test` })),
  });
  await db.agent.create({ data: { id: "writer" } });
  await db.agentVersion.create({
    data: { id: "writer-1", agentId: "writer", number: 1, config: '{"name":"Writer"}', configHash: "writer" },
  });
  await db.project.create({ data: { id: "shared", name: "Shared", createdById: "u0" } });
  await db.projectMember.createMany({
    data: people.map((index) => ({ projectId: "shared", userId: `u${index}`, role: "write" })),
  });
  for (let from = 0; from < THREADS; from += BATCH_THREADS) await seedBatch(db, from);
  await inChunks((limit) => indexPending(db, limit), { rest: async () => true });
  await db.raw("analyze");
}

async function seedBatch(db: Database, from: number): Promise<void> {
  const numbers = Array.from({ length: BATCH_THREADS }, (_, index) => from + index);
  await db.thread.createMany({
    data: numbers.map((number) => ({
      id: `t${number}`,
      clientId: `t${number}`,
      ownerId: `u${number % PEOPLE}`,
      agentId: "writer",
      projectId: Math.floor(number / PEOPLE) % 5 === 0 ? "shared" : null,
      title: wordsOf(number * 7, 5),
      updatedAt: new Date(Date.UTC(2026, 0, 1) + number * 60_000),
    })),
  });
  const messages = numbers.flatMap((number) =>
    Array.from({ length: MESSAGES_PER_THREAD }, (_, index) => messageOf(number, index)),
  );
  await db.transcriptMessage.createMany({ data: messages });
}

function messageOf(thread: number, index: number) {
  const number = thread * MESSAGES_PER_THREAD + index;
  const rare = number % 10_000 === 77 ? ` ${RARE_WORD}` : "";
  const text = `${COMMON_WORD} ${wordsOf(number, WORDS_PER_MESSAGE)}${rare}`;
  return {
    id: `m${number}`,
    threadId: `t${thread}`,
    runId: `r${thread}`,
    position: index + 1,
    text,
    role: index % 2 === 0 ? "user" : "assistant",
    parts: JSON.stringify([{ type: "text", text }]),
  };
}

/** Pseudo-random words, the same each time, some far more frequent than others. */
function wordsOf(seed: number, count: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, () => word(Math.floor(next() ** 2 * VOCABULARY))).join(" ");
}

/** The nth word: the first ones are the short ones. */
export function word(number: number): string {
  const syllable = SYLLABLES[number % SYLLABLES.length] ?? "";
  return number < SYLLABLES.length ? `${syllable}n` : word(Math.floor(number / SYLLABLES.length) - 1) + syllable;
}
