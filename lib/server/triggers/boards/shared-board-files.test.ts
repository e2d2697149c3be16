import { expect, test } from "vitest";
import { boardInstallation, newBoard, newCard, OWNER, reachedStates } from "@/lib/testing/fixtures/board-fixture";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { deleteBoard } from "./boards";
import { checkEvidence } from "./check-evidence";
import { settleTurns } from "./settle-turns";

const { server, work } = boardInstallation();

test("a shared board's members find each other's files", async () => {
  for (const id of ["w1", "w2"]) {
    await addAgent(server().database, id, { name: id, model: "scripted:m", backend: { type: "state" } });
  }
  const board = await newBoard({ members: ["w1", "w2"], workspace: "shared" });
  const [one, two] = await Promise.all(
    ["w1", "w2"].map(async (agentId) => newCard(board.id, { assignee: agentId, evidence: { file: "shared.md" } })),
  );
  const { openWorkspace } = await import("@/lib/server/files/open-workspace");
  const { configInPlace, sharedBoardOf } = await import("@/lib/server/engine/workspace-scope");
  const { AgentConfig } = await import("@/lib/schema/agents/agent-config");
  const run = await server().database.run.findFirstOrThrow({ where: { agentId: "w1" } });
  const { backend } = configInPlace(
    AgentConfig.parse({ name: "w", model: "scripted:m", backend: { type: "state" } }),
    run,
  );
  if (!backend) throw new Error("It has a backend.");
  const owner = { agentId: "w1", ownerId: OWNER.id, threadId: run.threadId, boardId: sharedBoardOf(run) };
  const { workspace } = await openWorkspace(server().database, backend, owner);
  await workspace.write("shared.md", new TextEncoder().encode("Ours."));
  await work(() => "Done.");
  const cards = await reachedStates(board.id, "done", "done");
  expect(cards.map(({ evidenceState }) => evidenceState?.ok)).toEqual([true, true]);
  expect([one?.number, two?.number].toSorted()).toEqual([1, 2]);
  await deleteBoard(server().database, board.id, OWNER);
  expect(await server().database.workspace.count()).toBe(0);
});

test("a look at evidence that is late leaves no files of a board that was deleted", async () => {
  await addAgent(server().database, "w1", { name: "w1", model: "scripted:m", backend: { type: "state" } });
  const board = await newBoard({ members: ["w1"], workspace: "shared" });
  await newCard(board.id, { evidence: { file: "shared.md" } });
  const row = await server().database.board.findUniqueOrThrow({ where: { id: board.id } });
  const { agentVersionId, ...run } = await server().database.run.findFirstOrThrow({ where: { agentId: "w1" } });
  if (agentVersionId === null) throw new Error("It has a version.");
  await deleteBoard(server().database, board.id, OWNER);
  await expect(checkEvidence(server().database, { ...run, agentVersionId }, { file: "shared.md" })).rejects.toThrow(
    "The board has been deleted.",
  );
  await settleTurns(server().database, row, new Date());
  expect(await server().database.workspace.count()).toBe(0);
});
