import { describe, expect, test } from "vitest";
import {
  at,
  boardInstallation,
  cardsOf,
  newBoard,
  newCard,
  OWNER,
  reachedStates,
} from "@/lib/testing/fixtures/board-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { getBoard } from "./boards";
import { removeCard, reviewCard } from "./cards";
import { claimForPerson, handInCard } from "./person-cards";
import { tickBoard } from "./tick-board";

const { server, work } = boardInstallation();

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
    const [first, second] = await server().database.boardRun.findMany({
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
    expect((await getBoard(server().services, board.id, OWNER)).state).toBe("waiting");
    await reviewCard(server().services, at(board.id, card), { accept: false, note: "shorter" }, OWNER);
    await reached(async () => (await cardsOf(board.id))[0]?.result === "Short.");
    await reviewCard(server().services, at(board.id, card), { accept: true }, OWNER);
    expect(await cardsOf(board.id)).toMatchObject([{ status: "done", acceptedBy: OWNER.id, sentBack: 1 }]);
    await expect(reviewCard(server().services, at(board.id, card), { accept: true }, OWNER)).rejects.toMatchObject({
      code: "conflict",
    });
    const audited = await server().database.auditEntry.findMany({
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
  await removeCard(server().services, at(board.id, second), OWNER);
  const entries = await server().database.auditEntry.findMany({
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
    server().database.board.update({ where: { id }, data: { stoppedAt } });
  const board = await newBoard({});
  // Or a member would take the cards first.
  await stopped(board.id, new Date());
  await newCard(board.id);
  const mine = await newCard(board.id, { title: "Ask the readers" });
  expect(await claimForPerson(server().services, at(board.id, mine), OWNER)).toMatchObject({
    byPerson: true,
    status: "working",
  });
  await expect(claimForPerson(server().services, at(board.id, mine), OWNER)).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(
    handInCard(server().services, at(board.id, { id: (await cardsOf(board.id))[0]?.id ?? "" }), "x", OWNER),
  ).rejects.toThrow(/You do not work on card 1/);
  const done = { status: "done", result: "They like it.", byPerson: true, acceptedBy: OWNER.id };
  expect(await handInCard(server().services, at(board.id, mine), "They like it.", OWNER)).toMatchObject(done);
  const other = await newBoard({ review: "other_member" });
  await stopped(other.id, new Date());
  const second = await newCard(other.id);
  await claimForPerson(server().services, at(other.id, second), OWNER);
  await handInCard(server().services, at(other.id, second), "Counted by hand.", OWNER);
  await stopped(other.id, null);
  await tickBoard(server().services, other.id);
  await reachedStates(other.id, "done");
  expect(reviewed).toHaveLength(1);
  expect(reviewed[0]).toContain("Counted by hand.");
});
