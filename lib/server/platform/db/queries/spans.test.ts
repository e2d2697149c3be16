import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { endSpansStatement, interruptSpans, upsertSpansStatement } from "./spans";
import { updateTraceStatement } from "./traces";

const START = Date.UTC(2026, 10, 2, 9);
const EARLIER = new Date(START - 3_600_000);
const RUN = { traceId: "tr1", runId: "run1" };

test("however a span or a trace ends, it does not end before it began, even if the clock was set back", async () => {
  const { database, close } = await createTestDatabase();
  const facts = { ...RUN, parentId: null, name: "s", type: "tool", error: null, attributes: {}, startedAtMs: START };
  const open = { ...facts, status: "running", endedAtMs: null } as const;
  await database.trace.create({
    data: {
      ...{ id: "tr1", runId: "run1", ownerId: "u1", threadId: "th1", agentId: "a", agentVersionId: "v" },
      ...{ agentVersion: 1, status: "running", startedAt: new Date(START) },
    },
  });
  const spansBefore = [
    { ...facts, id: "recorded", status: "completed", endedAtMs: EARLIER.getTime() },
    { ...open, id: "ended" },
    { ...open, id: "other", runId: "run2", startedAtMs: Date.now() + 3_600_000 },
  ];
  await database.runAll([upsertSpansStatement(database, spansBefore)]);
  await database.runAll([endSpansStatement(RUN, { status: "completed", endedAt: EARLIER })]);
  await interruptSpans(database, { ...RUN, runId: "run2" }, "none");
  await database.runAll([
    updateTraceStatement({ id: "tr1", runId: "run1" }, { status: "completed", endedAt: EARLIER }),
  ]);
  const spans = await database.span.findMany();
  expect(spans).toHaveLength(3);
  for (const { startedAt, endedAt } of spans) expect(endedAt).toEqual(startedAt);
  expect(await database.trace.findFirst()).toMatchObject({ status: "completed", endedAt: new Date(START) });
  await close();
});
