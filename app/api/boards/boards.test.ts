import { afterEach, beforeEach, expect, test } from "vitest";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import { onFeedEvent } from "@/lib/server/engine/log/signals";
import type { Route } from "@/lib/server/http/route";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { GET as listThreads } from "../threads/route";
import { PATCH as change, GET as getOne, DELETE as remove } from "./[boardId]/route";
import { POST as stop } from "./[boardId]/stop/route";
import { POST as claim } from "./[boardId]/tasks/[taskId]/claim/route";
import { POST as reopen } from "./[boardId]/tasks/[taskId]/reopen/route";
import { POST as review } from "./[boardId]/tasks/[taskId]/review/route";
import { PATCH as edit, GET as getCard, DELETE as removeCard } from "./[boardId]/tasks/[taskId]/route";
import { POST as addCard, GET as listCards } from "./[boardId]/tasks/route";
import { POST as create, GET as list } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  for (const id of ["lead", "ann", "bob"]) await addAgent(server.database, id, { name: id, model: "scripted:m" });
});
afterEach(() => server.close());

type As = "member" | "viewer" | "admin";

const TEAM = { name: "Release 2.9", members: ["ann", "bob"], review: "person", budget: { usd: 5 } };

async function make(body: object = {}): Promise<Board> {
  const reply = await server.call(create, { as: "member", body: { ...TEAM, ...body } });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return reply.json();
}

async function add(boardId: string, body: object = {}): Promise<BoardCard> {
  const reply = await server.call(addCard, { as: "member", params: { boardId }, body: { title: "Count", ...body } });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return reply.json();
}

const refused = async (body: object, as: As = "member") => {
  const reply = await server.call(create, { as, body: { ...TEAM, ...body } });
  return [reply.status, (await reply.json()).error?.details?.[0]?.path];
};

test("a board is made with its team, its budget is one of the installation's, and its owner's pages are told", async () => {
  const told: (string | undefined)[] = [];
  const stopListening = onFeedEvent("member", (event) => told.push(event?.type));
  const board = await make();
  expect(board).toMatchObject({
    name: "Release 2.9",
    lead: null,
    members: ["ann", "bob"],
    max_parallel: 3,
    workspace: "own",
    budget: { usd: 5, tokens: null },
    state: "idle",
    tasks: [],
    leadThreadId: null,
    used: { usd: 0, tokens: 0 },
    team: [{ agentId: "ann", state: "idle", costUsd: 0 }, { agentId: "bob" }],
  });
  expect(await server.database.budget.findMany()).toMatchObject([{ scope: "board", scopeId: board.id, usd: 5 }]);
  const { boards } = await (await server.call(list, { as: "member" })).json();
  expect(boards).toMatchObject([{ id: board.id, counts: { todo: 0, done: 0 } }]);
  stopListening();
  expect(told).toContain("board.changed");
});

test("what can't be is refused beside its field, and agents that its owner can't reach are not found", async () => {
  expect(await refused({ name: " " })).toEqual([400, "name"]);
  expect(await refused({ members: [] })).toEqual([400, "members"]);
  expect(await refused({ members: ["ann", "ann"] })).toEqual([400, "members"]);
  expect(await refused({ members: ["ann"], review: "other_member" })).toEqual([400, "members"]);
  expect((await refused({ members: ["nobody"] }))[0]).toBe(404);
  await server.database.group.create({ data: { id: "g", name: "Others", agents: { create: { agentId: "bob" } } } });
  expect((await refused({}))[0]).toBe(404);
  expect((await refused({}, "viewer"))[0]).toBe(403);
});

test("others find neither the board nor its cards", async () => {
  const board = await make();
  const card = await add(board.id);
  const params = { boardId: board.id, taskId: card.id };
  const routes: [Route, object?][] = [[getOne], [listCards], [getCard], [stop, {}], [claim, { assignee: "ann" }]];
  for (const [route, body] of [
    ...routes,
    [review, { accept: true }],
    [reopen, {}],
    [edit, { title: "Mine" }],
  ] as const) {
    const call = { as: "admin", params, ...(body ? { body } : {}) } as const;
    expect((await server.call(route, call)).status).toBe(404);
  }
  expect((await server.call(remove, { as: "admin", params, method: "DELETE" })).status).toBe(404);
  expect((await server.call(removeCard, { as: "admin", params, method: "DELETE" })).status).toBe(404);
});

test("a card is taken once: the second claim is 409, and its run stands in no list of threads", async () => {
  const board = await make({ max_parallel: 1, members: ["lead", "ann", "bob"] });
  await add(board.id, { assignee: "lead" });
  const card = await add(board.id);
  await server.call(change, { as: "member", params: { boardId: board.id }, body: { max_parallel: 3 } });
  const params = { boardId: board.id, taskId: card.id };
  const again = await server.call(claim, { as: "member", params, body: { assignee: "bob" } });
  expect([again.status, (await again.json()).error.message]).toEqual([
    409,
    "ann has taken it. Card 2 is not free: it is being worked on.",
  ]);
  expect(await server.database.run.count()).toBe(2);
  expect((await (await server.call(listThreads, { as: "member" })).json()).threads).toEqual([]);
});

test("cards depend on cards of the same board, never in a circle, and are changed until a member has them", async () => {
  const board = await make({ members: ["ann"] });
  const first = await add(board.id);
  const second = await add(board.id, { title: "After", dependsOn: [first.id], evidence: { file: "notes.md" } });
  expect(second).toMatchObject({ number: 2, status: "todo", dependsOn: [first.id], evidence: { file: "notes.md" } });
  const on = (card: BoardCard, body: object) =>
    server.call(edit, { as: "member", method: "PATCH", params: { boardId: board.id, taskId: card.id }, body });
  expect((await on(first, { title: "Other" })).status).toBe(409);
  expect((await on(second, { dependsOn: [second.id] })).status).toBe(400);
  expect((await on(second, { dependsOn: ["card_elsewhere"] })).status).toBe(400);
  const third = await add(board.id, { title: "Last", dependsOn: [second.id] });
  const circle = await on(second, { dependsOn: [third.id] });
  expect((await circle.json()).error.message).toBe("dependsOn: The cards would wait for each other in a circle.");
  expect((await on(second, { assignee: "lead" })).status).toBe(400);
  expect(await (await on(second, { title: "Renamed", evidence: null })).json()).toMatchObject({
    title: "Renamed",
    evidence: null,
  });
});

test("a review without a note sends nothing back; a board that is stopped says so and starts again", async () => {
  const board = await make();
  const card = await add(board.id);
  const params = { boardId: board.id, taskId: card.id };
  expect((await server.call(review, { as: "member", params, body: { accept: false } })).status).toBe(400);
  expect((await server.call(review, { as: "member", params, body: { accept: true } })).status).toBe(409);
  const stopped = await (await server.call(stop, { as: "member", params, method: "POST" })).json();
  expect(stopped).toMatchObject({ state: "stopped", tasks: [{ status: "failed", cause: "It was stopped." }] });
  const back = await server.call(reopen, { as: "member", params, body: { how: "give_back" } });
  expect(await back.json()).toMatchObject({ status: "todo", assignee: null });
  const started = await server.call(change, { as: "member", method: "PATCH", params, body: { stopped: false } });
  expect(await started.json()).toMatchObject({ state: "running", tasks: [{ status: "working", assignee: "ann" }] });
  const actions = await server.database.auditEntry.findMany({ where: { target: `board:${board.id}` } });
  expect(actions.map(({ action }) => action).toSorted()).toEqual([
    "board.card_created",
    "board.card_reopened",
    "board.created",
    "board.started",
    "board.stopped",
  ]);
});
