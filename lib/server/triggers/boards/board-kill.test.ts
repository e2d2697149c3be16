import { beforeEach, expect, inject, test } from "vitest";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { addAgent, runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { sweepBoards } from "./tick-board";

const isPostgres = inject("testDatabase") === "postgresql";
const { database, url } = runDatabase();

const MEMBERS = Array.from({ length: 20 }, (_, index) => `m${index}`);

beforeEach(async () => {
  await seedThread(database());
  for (const id of MEMBERS) await addAgent(database(), id, { name: id, model: "scripted:m" });
});

async function addBoard(cards: number): Promise<void> {
  const board = { id: "b1", ownerId: "u1", name: "Board", members: JSON.stringify(MEMBERS), maxParallel: 20 };
  const data = Array.from({ length: cards }, (_, index) => ({
    id: `c${index}`,
    number: index + 1,
    title: `Card ${index}`,
  }));
  await database().board.create({ data: { ...board, cards: { create: data } } });
}

const tick = (place: string) => runProcess("lib/testing/processes/killable-board.ts", url(), place, "b1");
const card = () => database().boardCard.findFirstOrThrow();

test.for(["taken", "started"])(
  "a process that is killed once a card is %s leaves one turn with one run, which the next look finds or makes",
  { timeout: 60_000 },
  async (place) => {
    await addBoard(1);
    expect(await tick(place)).toMatchObject({ signal: "SIGKILL", errors: "" });
    expect(await card()).toMatchObject({ status: "working", worker: "m0", runId: null });
    expect(await database().run.count()).toBe(place === "taken" ? 0 : 1);
    await sweepBoards(servicesOf(database()));
    const [run] = await database().run.findMany();
    expect(await database().boardRun.findMany()).toMatchObject([{ state: "started", runId: run?.id }]);
    expect(await card()).toMatchObject({ runId: run?.id, attempts: 1 });
    expect([await database().run.count(), await database().thread.count()]).toEqual([1, 2]);
  },
);

test.runIf(isPostgres)(
  "of twenty cards that three processes give out at once each has one member and one run",
  { timeout: 60_000 },
  async () => {
    await addBoard(20);
    const ended = await Promise.all([tick(""), tick(""), tick("")]);
    expect(ended.map(({ code, errors }) => [code, errors])).toEqual(Array(3).fill([0, ""]));
    await sweepBoards(servicesOf(database()));
    const cards = await database().boardCard.findMany();
    expect(cards.map(({ status, attempts }) => [status, attempts])).toEqual(Array(20).fill(["working", 1]));
    expect(new Set(cards.map(({ worker }) => worker)).size).toBe(20);
    expect([await database().run.count(), await database().boardRun.count()]).toEqual([20, 20]);
  },
);
