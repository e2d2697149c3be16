import { afterEach, expect, test, vi } from "vitest";
import type { Trace } from "@/lib/schema/traces/trace";
import { createThread } from "@/lib/server/threads/change-thread";
import { processServices } from "@/lib/server/wiring/services";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as cancel } from "../runs/[runId]/cancel/route";
import { POST as send } from "../threads/[threadId]/messages/route";
import { GET as readTrace } from "./[traceId]/route";

let server: RunServer | null = null;

afterEach(() => server?.close());

test("a trace says when its first token came while the run is running; a call that is cut off says it too", async () => {
  server = await startRunServer([{ text: "Half an answer", fault: { kind: "silence" } }]);
  const { call, database } = server;
  const { id: threadId } = await createThread(processServices(), { id: "member" }, "plain");
  const sent = await call(send, { as: "member", params: { threadId }, body: { content: "go" } });
  const { runId } = (await sent.json()) as { runId: string };
  const trace = async () => {
    const reply = await call(readTrace, { as: "member", params: { traceId: runId } });
    return (await reply.json()) as Trace;
  };
  const live = await vi.waitUntil(
    async () => {
      const now = await trace();
      return typeof now.timeToFirstTokenMs === "number" ? now : null;
    },
    { timeout: 30_000, interval: 5 },
  );
  expect(live.durationMs).toBeNull();
  await call(cancel, { as: "member", params: { runId }, method: "POST" });
  await reached(
    async () => (await database.span.count({ where: { runId, type: "llm", endedAt: { not: null } } })) === 1,
  );
  const { spans, timeToFirstTokenMs } = await trace();
  expect(timeToFirstTokenMs).toBe(live.timeToFirstTokenMs);
  expect(spans.find(({ type }) => type === "llm")).toMatchObject({
    status: "cancelled",
    attributes: { content_preview: "Half an answer", time_to_first_token_ms: expect.any(Number) },
  });
});
