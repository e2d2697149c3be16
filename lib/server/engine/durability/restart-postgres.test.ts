import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as stream } from "@/app/api/runs/[runId]/stream/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { GET as threadDetail } from "@/app/api/threads/[threadId]/route";
import { GET as health } from "@/app/health/route";
import { openDatabase } from "@/lib/server/platform/db/database";
import { createThread } from "@/lib/server/threads/change-thread";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { applyDirectly } from "@/scripts/database/apply-migrations";
import { type PostgresServer, startPostgres } from "@/scripts/database/postgres-server";

let postgres: PostgresServer;
let server: RunServer;
/** One per model call of the run under test: the call replies when its gate resolves. */
let gates: PromiseWithResolvers<void>[] = [];
let asked = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  await applyDirectly(postgres.url);
  server = await startRunServer(
    async ({ messages = [] }) => {
      const step = messages.filter(({ role }) => role === "assistant").length;
      asked = Math.max(asked, step + 1);
      await gates[step]?.promise;
      const todos = [{ id: "1", title: "Survive", status: "in_progress" }];
      return step === 0 ? { text: "First. ", calls: [{ name: "write_todos", args: { todos } }] } : { text: "Second." };
    },
    {},
    async () => {
      const database = await openDatabase(postgres.url);
      return { database, url: postgres.url, close: () => database.close() };
    },
  );
});

afterAll(async () => {
  await server.close();
  await postgres.stop();
});

const status = async () => (await server.call(health)).status;

test("a run continues through a crash of Postgres, which /health reports, and nothing acknowledged is lost", async () => {
  gates = [Promise.withResolvers(), Promise.withResolvers()];
  gates[0]?.resolve();
  const { id: threadId } = await createThread(server.services, { id: "member" }, "coder");
  const as = "member" as const;
  const reply = await server.call(send, { as, params: { threadId }, body: { content: "go on" } });
  expect(reply.status).toBe(202);
  const { runId } = (await reply.json()) as { runId: string };
  await vi.waitUntil(() => asked === 2, { timeout: 30_000, interval: 5 });

  await postgres.crash();
  expect(await status()).toBe(503);
  expect((await server.call(threadDetail, { as, params: { threadId } })).status).toBe(503);
  expect((await server.call(send, { as, params: { threadId }, body: { content: "lost" } })).status).toBe(503);
  gates[1]?.resolve();
  await postgres.startAgain();
  await vi.waitUntil(async () => (await status()) === 200, { timeout: 30_000, interval: 50 });

  const text = await (await server.call(stream, { as, params: { runId } })).text();
  expect(text).toContain("First.");
  expect(text).toContain("Second.");
  const detail = await (await server.call(threadDetail, { as, params: { threadId } })).json();
  expect(detail.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
  const run = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  expect(run).toMatchObject({ status: "completed", steps: 2, errorMessage: null });
  const after = { messages: [{ role: "user", content: "and now?" }] };
  expect((await server.call(invoke, { as, params: { id: "plain" }, body: after })).status).toBe(200);
});
