import { describe, expect, test } from "vitest";
import type { Viewer } from "@/lib/schema/users/user";
import { updateUser } from "@/lib/server/users/update-user";
import {
  at,
  boardInstallation,
  cardsOf,
  newBoard,
  newCard,
  OWNER,
  reachedStates,
} from "@/lib/testing/fixtures/board-fixture";
import { deleteBoard, getBoard, stopBoard, updateBoard } from "./boards";
import { removeCard, reopenCard } from "./cards";
import { settleTurns } from "./settle-turns";
import { sweepBoards } from "./tick-board";

const { server, work, turns } = boardInstallation();

const access = { userId: null };

const ADMIN: Viewer = { id: "admin", name: "Admin", email: "admin@example.test", role: "admin", scopes: ["admin"] };

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
    expect((await getBoard(server().services, board.id, OWNER)).counts).toMatchObject({ failed: 1, working: 0 });
    isBroken = false;
    await reopenCard(server().services, at(board.id, card), { how: "again" }, OWNER);
    expect(await reachedStates(board.id, "done")).toMatchObject([{ assignee: "ann", attempts: 2, cause: null }]);
  });

  test("an interrupted run gives its card back with what it had said, once for every look at it", async () => {
    const board = await newBoard({ members: ["ann"] });
    await newCard(board.id);
    const [turn] = await turns(board.id);
    const run = await server().database.run.update({
      where: { id: turn?.runId ?? "" },
      data: { status: "interrupted", endedAt: new Date() },
    });
    await server().database.transcriptMessage.create({
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
    const row = await server().database.board.findUniqueOrThrow({ where: { id: board.id } });
    await Promise.all([1, 2, 3].map(() => settleTurns(server().database, row, new Date())));
    const [card] = await server().database.boardCard.findMany();
    expect(card).toMatchObject({ status: "todo", worker: null, partial: "Half.", interruptions: 1 });
    await sweepBoards(server().services);
    const [, again] = await turns(board.id);
    expect(again?.prompt).toContain("What it had said:\n<result_of_card>\nHalf.");
  });

  test("a member whose agent is gone fails its card with the reason; others go on", async () => {
    await work(() => "Done.");
    const board = await newBoard();
    await server().database.agent.update({ where: { id: "ann" }, data: { deletedAt: new Date() } });
    await newCard(board.id, { assignee: "ann" });
    await newCard(board.id, { title: "Another", assignee: "bob" });
    const [gone] = await reachedStates(board.id, "failed", "done");
    expect(gone?.cause).toBe('Not started: There is no agent "ann".');
    expect((await getBoard(server().services, board.id, OWNER)).team.map(({ state }) => state)).toEqual([
      "gone",
      "idle",
    ]);
  });

  test("Stop all ends what runs and starts nothing until the board is started again", async () => {
    const board = await newBoard({ max_parallel: 1 });
    await newCard(board.id);
    await newCard(board.id, { title: "Later" });
    const stopped = await stopBoard(server().services, board.id, OWNER);
    expect(stopped).toMatchObject({ state: "stopped", counts: { failed: 1, todo: 1 } });
    await sweepBoards(server().services);
    expect(await server().database.run.count({ where: { endedAt: null } })).toBe(0);
    await work(() => "Done.");
    await updateBoard(server().services, board.id, { stopped: false }, { viewer: OWNER, access });
    await reachedStates(board.id, "failed", "done");
  });

  test("a board whose owner was deactivated stops and says so", async () => {
    const board = await newBoard();
    await server().database.user.update({ where: { id: OWNER.id }, data: { deactivatedAt: new Date() } });
    await server().database.boardCard.create({ data: { id: "c1", boardId: board.id, number: 1, title: "Never" } });
    await sweepBoards(server().services);
    expect(await getBoard(server().services, board.id, OWNER)).toMatchObject({
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
  await updateUser(server().services, OWNER.id, change, ADMIN);
  expect(await getBoard(server().services, board.id, OWNER)).toMatchObject({ state: "stopped", stoppedReason });
  await updateUser(server().services, OWNER.id, { role: "member", deactivated: false }, ADMIN);
  expect(await getBoard(server().services, board.id, OWNER)).toMatchObject({ state: "stopped" });
});

test("a card that is removed frees those that waited for it and ends its run", async () => {
  const board = await newBoard({ members: ["ann"] });
  const first = await newCard(board.id);
  const second = await newCard(board.id, { title: "After", dependsOn: [first.id] });
  await removeCard(server().services, at(board.id, first), OWNER);
  const [left] = await cardsOf(board.id);
  expect(left).toMatchObject({ id: second.id, dependsOn: [], status: "working" });
  const { status } = await server().database.run.findFirstOrThrow({ orderBy: { createdAt: "asc" } });
  expect(status).toBe("cancelled");
});

test("the runs of a board that is deleted end, and its threads go with it", async () => {
  const board = await newBoard();
  await newCard(board.id);
  await deleteBoard(server().database, board.id, OWNER);
  expect(await server().database.run.findMany({ select: { status: true } })).toEqual([{ status: "cancelled" }]);
  expect(await server().database.thread.count({ where: { deletedAt: null } })).toBe(0);
  expect(await server().database.boardRun.count()).toBe(0);
});
