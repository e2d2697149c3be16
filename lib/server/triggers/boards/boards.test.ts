import { describe, expect, test } from "vitest";
import {
  type Answering,
  at,
  boardInstallation,
  cardsOf,
  newBoard,
  newCard,
  OWNER,
  reachedStates,
} from "@/lib/testing/fixtures/board-fixture";
import { addAgent, reached } from "@/lib/testing/fixtures/run-fixture";
import { getBoard, updateBoard } from "./boards";
import { claimCard } from "./cards";
import { tickBoard } from "./tick-board";

const { server, work, turns } = boardInstallation();

const access = { userId: null };

test("cards are done in the order of their dependencies, each by a root run of its own in an unlisted thread", async () => {
  const board = await newBoard({ members: ["ann"] });
  const first = await newCard(board.id);
  await newCard(board.id, { title: "Write it down", dependsOn: [first.id] });
  // Only now, or the first card alone might finish the board.
  const asked: string[] = [];
  await work((text) => {
    asked.push(text);
    return text.includes("# Count") ? "There are 41." : "Written.";
  });
  const [counted, written] = await reachedStates(board.id, "done", "done");
  expect([counted?.result, written?.result]).toEqual(["There are 41.", "Written."]);
  expect(asked[1]).toContain("<result_of_card>\nThere are 41.\n</result_of_card>");
  const runs = await server().database.run.findMany({ orderBy: { createdAt: "asc" }, include: { thread: true } });
  expect(runs).toMatchObject([1, 2].map(() => ({ origin: "board", attended: false, depth: 0, ownerId: OWNER.id })));
  expect(runs.map(({ thread }) => thread.boardId)).toEqual([board.id, board.id]);
  expect(counted).toMatchObject({ assignee: "ann", runId: runs[0]?.id, costUsd: 0.1 });
  expect((await getBoard(server().services, board.id, OWNER)).state).toBe("idle");
  const told = () => server().database.inboxNote.findMany({ where: { userId: OWNER.id } });
  await reached(async () => (await told()).length > 0);
  await tickBoard(server().services, board.id);
  expect(await told()).toMatchObject([
    { kind: "board", title: "Board finished: 2 cards", path: `/automations/boards/${board.id}` },
  ]);
});

test("no more members work at once than the board allows, and each has one card", async () => {
  const board = await newBoard({ max_parallel: 1 });
  for (const title of ["One", "Two", "Three"]) await newCard(board.id, { title });
  expect((await cardsOf(board.id)).map(({ status }) => status)).toEqual(["working", "todo", "todo"]);
  await updateBoard(server().services, board.id, { max_parallel: 3 }, { viewer: OWNER, access });
  expect((await cardsOf(board.id)).map(({ status, assignee }) => [status, assignee])).toEqual([
    ["working", "ann"],
    ["working", "bob"],
    ["todo", null],
  ]);
});

test("of thirty members that race for a card one gets it, for each of thirty cards", async () => {
  const members = Array.from({ length: 30 }, (_, index) => `m${index}`);
  await Promise.all(members.map((id) => addAgent(server().database, id, { name: id, model: "scripted:m" })));
  const { id: boardId } = await newBoard({ members, max_parallel: 30 });
  await server().database.board.update({ where: { id: boardId }, data: { stoppedAt: new Date() } });
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
  await server().database.boardCard.createMany({
    data: numbers.map((number) => ({ id: `card${number}`, boardId, number, title: `Card ${number}` })),
  });
  await server().database.board.update({ where: { id: boardId }, data: { stoppedAt: null } });
  const { takeCard } = await import("./take-card");
  const board = await server().database.board.findUniqueOrThrow({ where: { id: boardId } });
  const cards = await server().database.boardCard.findMany({ where: { boardId }, orderBy: { number: "asc" } });
  const taken: number[] = [];
  for (const card of cards) {
    const claims = members.map((agentId) => takeCard(server().database, { board, card, agentId, now: new Date() }));
    taken.push((await Promise.all(claims)).filter(Boolean).length);
  }
  expect(taken).toEqual(numbers.map(() => 1));
  const workers = await server().database.boardCard.findMany({ where: { boardId }, select: { worker: true } });
  expect(new Set(workers.map(({ worker }) => worker)).size).toBe(30);
  expect(await server().database.boardRun.count({ where: { boardId } })).toBe(30);
});

test("a claim of a taken card is refused with who has it", async () => {
  const board = await newBoard();
  const card = await newCard(board.id, { assignee: "ann" });
  await expect(claimCard(server().services, at(board.id, card), "bob", OWNER)).rejects.toMatchObject({
    code: "conflict",
    message: "ann has taken it. Card 1 is not free: it is being worked on.",
  });
  await expect(claimCard(server().services, at(board.id, card), "lead", OWNER)).rejects.toMatchObject({
    code: "invalid_input",
  });
});

describe("a lead that is an agent", () => {
  test("reads TEAM.md, writes the cards and is woken once by each result", async () => {
    const heard: string[] = [];
    const readers = new Set<string>();
    await work((text, replies, system) => {
      if (system.includes("## TEAM.md")) readers.add(text.split(" ").slice(0, 2).join(" "));
      if (text.startsWith("You lead")) {
        if (replies.length === 0) return { action: "create", title: "Research bees", assignee: "ann" };
        if (replies.length === 1) return { action: "create", title: "Write about bees", depends_on: [1] };
        return "Planned.";
      }
      if (text.startsWith("Card ")) {
        heard.push(text.split("\n")[0] ?? "");
        return "Noted.";
      }
      return "Bees hum.";
    });
    const board = await newBoard({ lead: "lead", goal: "Bees" });
    await reachedStates(board.id, "done", "done");
    await reached(async () => heard.length === 2);
    expect(heard).toEqual([
      expect.stringContaining('Card 1, "Research bees", is done.'),
      expect.stringContaining('Card 2, "Write about bees", is done.'),
    ]);
    expect([...readers].toSorted()).toEqual(["Card 1,", "Card 2,", "You lead"]);

    await tickBoard(server().services, board.id);
    expect((await getBoard(server().services, board.id, OWNER)).woken).toEqual({
      results: 2,
      questions: 0,
      failures: 0,
    });
    expect((await turns(board.id)).filter(({ role }) => role === "lead")).toHaveLength(3);
  });

  test("answers a member's question, and the member goes on with the answer", async () => {
    const lead: Answering = (text, [result]) => {
      if (result !== undefined) return "Done.";
      if (text.startsWith("You lead")) return { action: "create", title: "Count" };
      return text.includes("is blocked") ? { action: "answer", card: 1, note: "Count nightly builds too." } : "Noted.";
    };
    await work((text, replies, system) => {
      if (system.includes("TEAM.md")) return lead(text, replies, system);
      if (text.includes("The answer to your question: Count nightly builds too.")) return "There are 14.";
      return replies.length === 0 ? { action: "ask", note: "Do nightly builds count?" } : "I asked.";
    });
    const board = await newBoard({ lead: "lead" });
    const [card] = await reachedStates(board.id, "done");
    expect(card).toMatchObject({ result: "There are 14.", attempts: 2 });
    expect((await getBoard(server().services, board.id, OWNER)).woken).toMatchObject({ questions: 1 });
  });
});

test("a reached budget starts no card; what runs waits for its owner, who raises it on the board", async () => {
  await work(() => "Done.");
  const board = await newBoard({ members: ["ann"], budget: { usd: 0.2, tokens: null } });
  await newCard(board.id);
  await reachedStates(board.id, "done");
  await newCard(board.id, { title: "Too dear" });
  await newCard(board.id, { title: "Never begun" });
  const [, waiting] = await reachedStates(board.id, "done", "needs_you", "todo");
  expect(waiting).toMatchObject({ asks: "person", question: "The budget is reached. Add to it?" });
  expect(await getBoard(server().services, board.id, OWNER)).toMatchObject({
    used: { usd: 0.1 },
    isBudgetReached: true,
  });
  await updateBoard(server().services, board.id, { budget: { usd: 1, tokens: null } }, { viewer: OWNER, access });
  await reachedStates(board.id, "done", "done", "done");
  expect((await getBoard(server().services, board.id, OWNER)).used.usd).toBeCloseTo(0.3);
});
