import { expect, test } from "vitest";
import { runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { reportChildren } from "./report-children";

const { database } = runDatabase();

test("a child that ends after its parent counts once for it, however many processes notice", async () => {
  await seedThread(database());
  const { id: agentVersionId } = await database().agentVersion.findFirstOrThrow();
  const place = { threadId: "th1", ownerId: "u1", agentId: "agent", agentVersionId, traceId: "tr1", input: "{}" };
  const ended = { ...place, status: "completed", startedAt: new Date(), endedAt: new Date(), isBackground: true };
  const parent = { ...ended, id: "run_parent", assistantMessageId: "msg1", inputTokens: 1_000, costUsd: 1 };
  await database().run.create({ data: parent });
  const below = { parentRunId: "run_parent", rootRunId: "run_parent", parentToolCallId: "call_1", depth: 1 };
  const child = { ...ended, ...below, id: "run_child", assistantMessageId: "msg2", inputTokens: 50, costUsd: 0.5 };
  await database().run.create({ data: child });
  await Promise.all([1, 2, 3].map(() => reportChildren(database())));
  const counted = { inputTokens: 1_050, costUsd: 1.5 };
  expect(await database().run.findUnique({ where: { id: "run_parent" } })).toMatchObject(counted);
  expect(await database().thread.findUnique({ where: { id: "th1" } })).toMatchObject({ inputTokens: 50 });
});
