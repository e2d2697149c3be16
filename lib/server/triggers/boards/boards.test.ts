import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Viewer } from "@/lib/schema/users/user";
import type { RunHost } from "@/lib/server/engine/host";
import { updateUser } from "@/lib/server/users/update-user";
import {
  type Answering,
  boardHost,
  cardsOf,
  newBoard,
  newCard,
  OWNER,
  reachedStates,
} from "@/lib/testing/fixtures/board-fixture";
import { addAgent, reached } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { deleteBoard, getBoard, stopBoard, updateBoard } from "./boards";
import { claimCard, removeCard, reopenCard, reviewCard } from "./cards";
import { checkEvidence } from "./check-evidence";
import { claimForPerson, handInCard } from "./person-cards";
import { settleTurns } from "./settle-turns";
import { sweepBoards, tickBoard } from "./tick-board";

let server: TestServer;
const hosts: RunHost[] = [];
const access = { userId: null };
const ADMIN: Viewer = { id: "admin", name: "Admin", email: "admin@example.test", role: "admin", scopes: ["admin"] };

beforeEach(async () => {
  server = await startTestServer();
  for (const id of ["lead", "ann", "bob"]) await addAgent(server.database, id, { name: id, model: "scripted:m" });
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  await server.close();
});

async function work(answering: Answering): Promise<RunHost> {
  const host = await boardHost(server.database, answering);
  hosts.push(host);
  return host;
}

const at = (boardId: string, { id: taskId }: { readonly id: string }) => ({ boardId, taskId });
const turns = (boardId: string) =>
  server.database.boardRun.findMany({ where: { boardId }, orderBy: { createdAt: "asc" } });

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
  const runs = await server.database.run.findMany({ orderBy: { createdAt: "asc" }, include: { thread: true } });
  expect(runs).toMatchObject([1, 2].map(() => ({ origin: "board", attended: false, depth: 0, ownerId: OWNER.id })));
  expect(runs.map(({ thread }) => thread.boardId)).toEqual([board.id, board.id]);
  expect(counted).toMatchObject({ assignee: "ann", runId: runs[0]?.id, costUsd: 0.1 });
  expect((await getBoard(server.services, board.id, OWNER)).state).toBe("idle");
  const told = () => server.database.inboxNote.findMany({ where: { userId: OWNER.id } });
  await reached(async () => (await told()).length > 0);
  await tickBoard(server.services, board.id);
  expect(await told()).toMatchObject([
    { kind: "board", title: "Board finished: 2 cards", path: `/automations/boards/${board.id}` },
  ]);
});

test("no more members work at once than the board allows, and each has one card", async () => {
  const board = await newBoard({ max_parallel: 1 });
  for (const title of ["One", "Two", "Three"]) await newCard(board.id, { title });
  expect((await cardsOf(board.id)).map(({ status }) => status)).toEqual(["working", "todo", "todo"]);
  await updateBoard(server.services, board.id, { max_parallel: 3 }, { viewer: OWNER, access });
  expect((await cardsOf(board.id)).map(({ status, assignee }) => [status, assignee])).toEqual([
    ["working", "ann"],
    ["working", "bob"],
    ["todo", null],
  ]);
});

test("of thirty members that race for a card one gets it, for each of thirty cards", async () => {
  const members = Array.from({ length: 30 }, (_, index) => `m${index}`);
  await Promise.all(members.map((id) => addAgent(server.database, id, { name: id, model: "scripted:m" })));
  const { id: boardId } = await newBoard({ members, max_parallel: 30 });
  await server.database.board.update({ where: { id: boardId }, data: { stoppedAt: new Date() } });
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
  await server.database.boardCard.createMany({
    data: numbers.map((number) => ({ id: `card${number}`, boardId, number, title: `Card ${number}` })),
  });
  await server.database.board.update({ where: { id: boardId }, data: { stoppedAt: null } });
  const { takeCard } = await import("./take-card");
  const board = await server.database.board.findUniqueOrThrow({ where: { id: boardId } });
  const cards = await server.database.boardCard.findMany({ where: { boardId }, orderBy: { number: "asc" } });
  const taken: number[] = [];
  for (const card of cards) {
    const claims = members.map((agentId) => takeCard(server.database, { board, card, agentId, now: new Date() }));
    taken.push((await Promise.all(claims)).filter(Boolean).length);
  }
  expect(taken).toEqual(numbers.map(() => 1));
  const workers = await server.database.boardCard.findMany({ where: { boardId }, select: { worker: true } });
  expect(new Set(workers.map(({ worker }) => worker)).size).toBe(30);
  expect(await server.database.boardRun.count({ where: { boardId } })).toBe(30);
});

test("a claim of a taken card is refused with who has it", async () => {
  const board = await newBoard();
  const card = await newCard(board.id, { assignee: "ann" });
  await expect(claimCard(server.services, at(board.id, card), "bob", OWNER)).rejects.toMatchObject({
    code: "conflict",
    message: "ann has taken it. Card 1 is not free: it is being worked on.",
  });
  await expect(claimCard(server.services, at(board.id, card), "lead", OWNER)).rejects.toMatchObject({
    code: "invalid_input",
  });
});

describe("a review", () => {
  test("by another member accepts or sends back with a note, and the author never reviews", async () => {
    const reviewed: string[] = [];
    await work((text, replies) => {
      if (!text.startsWith("You review"))
        return text.includes("It was sent back: no link") ? "With links." : "No links.";
      if (replies.length > 0) return "Decided.";
      reviewed.push(text);
      return text.includes("With links.") ? { action: "accept" } : { action: "send_back", note: "no link" };
    });
    const board = await newBoard({ review: "other_member" });
    await newCard(board.id);
    const [card] = await reachedStates(board.id, "done");
    expect(card).toMatchObject({ sentBack: 1, note: "no link", result: "With links.", attempts: 2 });
    expect(reviewed).toHaveLength(2);
    expect([card?.assignee, card?.acceptedBy].toSorted()).toEqual(["ann", "bob"]);
    const [first, second] = await server.database.boardRun.findMany({
      where: { role: "work" },
      orderBy: { createdAt: "asc" },
    });
    expect(first?.threadId).toBe(second?.threadId);
  });

  test("by a person waits for one; what is sent back goes on in the same thread", async () => {
    await work((text) => (text.includes("It was sent back: shorter") ? "Short." : "Long."));
    const board = await newBoard({ review: "person" });
    const card = await newCard(board.id);
    await reachedStates(board.id, "review");
    expect((await getBoard(server.services, board.id, OWNER)).state).toBe("waiting");
    await reviewCard(server.services, at(board.id, card), { accept: false, note: "shorter" }, OWNER);
    await reached(async () => (await cardsOf(board.id))[0]?.result === "Short.");
    await reviewCard(server.services, at(board.id, card), { accept: true }, OWNER);
    expect(await cardsOf(board.id)).toMatchObject([{ status: "done", acceptedBy: OWNER.id, sentBack: 1 }]);
    await expect(reviewCard(server.services, at(board.id, card), { accept: true }, OWNER)).rejects.toMatchObject({
      code: "conflict",
    });
    const audited = await server.database.auditEntry.findMany({
      where: { action: "board.reviewed" },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    expect(audited.map(({ actorId, details }) => [actorId, JSON.parse(details)])).toEqual([
      [OWNER.id, { card: 1, accept: false }],
      [OWNER.id, { card: 1, accept: true }],
    ]);
  });
});

test("what a person does with cards stands in the audit log, and a card says which version did it", async () => {
  await work(() => "Done.");
  const board = await newBoard({});
  const card = await newCard(board.id, { assignee: "ann" });
  const [done] = await reachedStates(board.id, "done");
  expect(done?.agentVersion).toBe(1);
  const second = await newCard(board.id, { dependsOn: [] });
  await reachedStates(board.id, "done", "done");
  await removeCard(server.services, at(board.id, second), OWNER);
  const entries = await server.database.auditEntry.findMany({
    where: { action: { startsWith: "board.card" } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual(
    ["created", "created", "removed"].map((what) => [`board.card_${what}`, OWNER.id]),
  );
  expect(JSON.parse(entries[0]?.details ?? "{}")).toEqual({ cardId: card.id, assignee: "ann" });
});

test("a person takes a card, hands in what they did, and another member reviews it where the board wants that", async () => {
  const reviewed: string[] = [];
  await work((text, replies) => {
    if (!text.startsWith("You review")) return "Done.";
    if (replies.length === 0) reviewed.push(text);
    return replies.length === 0 ? { action: "accept" } : "Accepted.";
  });
  const stopped = (id: string, stoppedAt: Date | null) =>
    server.database.board.update({ where: { id }, data: { stoppedAt } });
  const board = await newBoard({});
  // Or a member would take the cards first.
  await stopped(board.id, new Date());
  await newCard(board.id);
  const mine = await newCard(board.id, { title: "Ask the readers" });
  expect(await claimForPerson(server.services, at(board.id, mine), OWNER)).toMatchObject({
    byPerson: true,
    status: "working",
  });
  await expect(claimForPerson(server.services, at(board.id, mine), OWNER)).rejects.toMatchObject({ code: "conflict" });
  await expect(
    handInCard(server.services, at(board.id, { id: (await cardsOf(board.id))[0]?.id ?? "" }), "x", OWNER),
  ).rejects.toThrow(/You do not work on card 1/);
  const done = { status: "done", result: "They like it.", byPerson: true, acceptedBy: OWNER.id };
  expect(await handInCard(server.services, at(board.id, mine), "They like it.", OWNER)).toMatchObject(done);
  const other = await newBoard({ review: "other_member" });
  await stopped(other.id, new Date());
  const second = await newCard(other.id);
  await claimForPerson(server.services, at(other.id, second), OWNER);
  await handInCard(server.services, at(other.id, second), "Counted by hand.", OWNER);
  await stopped(other.id, null);
  await tickBoard(server.services, other.id);
  await reachedStates(other.id, "done");
  expect(reviewed).toHaveLength(1);
  expect(reviewed[0]).toContain("Counted by hand.");
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

    await tickBoard(server.services, board.id);
    expect((await getBoard(server.services, board.id, OWNER)).woken).toEqual({ results: 2, questions: 0, failures: 0 });
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
    expect((await getBoard(server.services, board.id, OWNER)).woken).toMatchObject({ questions: 1 });
  });
});

describe("when a run does not end well", () => {
  test("a failed card keeps its cause and can be tried again or given back; the board stays readable", async () => {
    let isBroken = true;
    await work(() => {
      if (isBroken) throw new Error("the build ran out of disk");
      return "Built.";
    });
    const board = await newBoard();
    const card = await newCard(board.id);
    const [failed] = await reachedStates(board.id, "failed");
    expect(failed).toMatchObject({ assignee: "ann", cause: expect.any(String), runId: expect.any(String) });
    expect((await getBoard(server.services, board.id, OWNER)).counts).toMatchObject({ failed: 1, working: 0 });
    isBroken = false;
    await reopenCard(server.services, at(board.id, card), { how: "again" }, OWNER);
    expect(await reachedStates(board.id, "done")).toMatchObject([{ assignee: "ann", attempts: 2, cause: null }]);
  });

  test("an interrupted run gives its card back with what it had said, once for every look at it", async () => {
    const board = await newBoard({ members: ["ann"] });
    await newCard(board.id);
    const [turn] = await turns(board.id);
    const run = await server.database.run.update({
      where: { id: turn?.runId ?? "" },
      data: { status: "interrupted", endedAt: new Date() },
    });
    await server.database.transcriptMessage.create({
      data: {
        id: run.assistantMessageId,
        threadId: run.threadId,
        runId: run.id,
        position: 9,
        role: "assistant",
        parts: "[]",
        text: "Half.",
      },
    });
    const row = await server.database.board.findUniqueOrThrow({ where: { id: board.id } });
    await Promise.all([1, 2, 3].map(() => settleTurns(server.database, row, new Date())));
    const [card] = await server.database.boardCard.findMany();
    expect(card).toMatchObject({ status: "todo", worker: null, partial: "Half.", interruptions: 1 });
    await sweepBoards(server.services);
    const [, again] = await turns(board.id);
    expect(again?.prompt).toContain("What it had said:\n<result_of_card>\nHalf.");
  });

  test("a member whose agent is gone fails its card with the reason; others go on", async () => {
    await work(() => "Done.");
    const board = await newBoard();
    await server.database.agent.update({ where: { id: "ann" }, data: { deletedAt: new Date() } });
    await newCard(board.id, { assignee: "ann" });
    await newCard(board.id, { title: "Another", assignee: "bob" });
    const [gone] = await reachedStates(board.id, "failed", "done");
    expect(gone?.cause).toBe('Not started: There is no agent "ann".');
    expect((await getBoard(server.services, board.id, OWNER)).team.map(({ state }) => state)).toEqual(["gone", "idle"]);
  });

  test("Stop all ends what runs and starts nothing until the board is started again", async () => {
    const board = await newBoard({ max_parallel: 1 });
    await newCard(board.id);
    await newCard(board.id, { title: "Later" });
    const stopped = await stopBoard(server.services, board.id, OWNER);
    expect(stopped).toMatchObject({ state: "stopped", counts: { failed: 1, todo: 1 } });
    await sweepBoards(server.services);
    expect(await server.database.run.count({ where: { endedAt: null } })).toBe(0);
    await work(() => "Done.");
    await updateBoard(server.services, board.id, { stopped: false }, { viewer: OWNER, access });
    await reachedStates(board.id, "failed", "done");
  });

  test("a board whose owner was deactivated stops and says so", async () => {
    const board = await newBoard();
    await server.database.user.update({ where: { id: OWNER.id }, data: { deactivatedAt: new Date() } });
    await server.database.boardCard.create({ data: { id: "c1", boardId: board.id, number: 1, title: "Never" } });
    await sweepBoards(server.services);
    expect(await getBoard(server.services, board.id, OWNER)).toMatchObject({
      state: "stopped",
      stoppedReason: "Its owner has been deactivated.",
      counts: { todo: 1 },
    });
  });
});

test.each([
  [{ role: "viewer" }, "Its owner may no longer start runs."],
  [{ deactivated: true }, "Its owner has been deactivated."],
] as const)("a board stops in the moment in which its owner becomes %o", async (change, stoppedReason) => {
  const board = await newBoard();
  await updateUser(server.services, OWNER.id, change, ADMIN);
  expect(await getBoard(server.services, board.id, OWNER)).toMatchObject({ state: "stopped", stoppedReason });
  await updateUser(server.services, OWNER.id, { role: "member", deactivated: false }, ADMIN);
  expect(await getBoard(server.services, board.id, OWNER)).toMatchObject({ state: "stopped" });
});

test("a shared board's members find each other's files", async () => {
  for (const id of ["w1", "w2"]) {
    await addAgent(server.database, id, { name: id, model: "scripted:m", backend: { type: "state" } });
  }
  const board = await newBoard({ members: ["w1", "w2"], workspace: "shared" });
  const [one, two] = await Promise.all(
    ["w1", "w2"].map(async (agentId) => newCard(board.id, { assignee: agentId, evidence: { file: "shared.md" } })),
  );
  const { openWorkspace } = await import("@/lib/server/files/open-workspace");
  const { configInPlace, sharedBoardOf } = await import("@/lib/server/engine/workspace-scope");
  const { AgentConfig } = await import("@/lib/schema/agents/agent-config");
  const run = await server.database.run.findFirstOrThrow({ where: { agentId: "w1" } });
  const { backend } = configInPlace(
    AgentConfig.parse({ name: "w", model: "scripted:m", backend: { type: "state" } }),
    run,
  );
  if (!backend) throw new Error("It has a backend.");
  const owner = { agentId: "w1", ownerId: OWNER.id, threadId: run.threadId, boardId: sharedBoardOf(run) };
  const { workspace } = await openWorkspace(server.database, backend, owner);
  await workspace.write("shared.md", new TextEncoder().encode("Ours."));
  await work(() => "Done.");
  const cards = await reachedStates(board.id, "done", "done");
  expect(cards.map(({ evidenceState }) => evidenceState?.ok)).toEqual([true, true]);
  expect([one?.number, two?.number].toSorted()).toEqual([1, 2]);
  await deleteBoard(server.services, board.id, OWNER);
  expect(await server.database.workspace.count()).toBe(0);
});

test("a look at evidence that is late leaves no files of a board that was deleted", async () => {
  await addAgent(server.database, "w1", { name: "w1", model: "scripted:m", backend: { type: "state" } });
  const board = await newBoard({ members: ["w1"], workspace: "shared" });
  await newCard(board.id, { evidence: { file: "shared.md" } });
  const row = await server.database.board.findUniqueOrThrow({ where: { id: board.id } });
  const { agentVersionId, ...run } = await server.database.run.findFirstOrThrow({ where: { agentId: "w1" } });
  if (agentVersionId === null) throw new Error("It has a version.");
  await deleteBoard(server.services, board.id, OWNER);
  await expect(checkEvidence(server.database, { ...run, agentVersionId }, { file: "shared.md" })).rejects.toThrow(
    "The board has been deleted.",
  );
  await settleTurns(server.database, row, new Date());
  expect(await server.database.workspace.count()).toBe(0);
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
  expect(await getBoard(server.services, board.id, OWNER)).toMatchObject({ used: { usd: 0.1 }, isBudgetReached: true });
  await updateBoard(server.services, board.id, { budget: { usd: 1, tokens: null } }, { viewer: OWNER, access });
  await reachedStates(board.id, "done", "done", "done");
  expect((await getBoard(server.services, board.id, OWNER)).used.usd).toBeCloseTo(0.3);
});

test("a card that is removed frees those that waited for it and ends its run", async () => {
  const board = await newBoard({ members: ["ann"] });
  const first = await newCard(board.id);
  const second = await newCard(board.id, { title: "After", dependsOn: [first.id] });
  await removeCard(server.services, at(board.id, first), OWNER);
  const [left] = await cardsOf(board.id);
  expect(left).toMatchObject({ id: second.id, dependsOn: [], status: "working" });
  const { status } = await server.database.run.findFirstOrThrow({ orderBy: { createdAt: "asc" } });
  expect(status).toBe("cancelled");
});

test("the runs of a board that is deleted end, and its threads go with it", async () => {
  const board = await newBoard();
  await newCard(board.id);
  await deleteBoard(server.services, board.id, OWNER);
  expect(await server.database.run.findMany({ select: { status: true } })).toEqual([{ status: "cancelled" }]);
  expect(await server.database.thread.count({ where: { deletedAt: null } })).toBe(0);
  expect(await server.database.boardRun.count()).toBe(0);
});
