import { beforeAll, expect, test, vi } from "vitest";
import { POST as cancelRoute } from "@/app/api/replays/[replayId]/cancel/route";
import { GET as getReplayRoute } from "@/app/api/replays/[replayId]/route";
import { POST as postReplay } from "@/app/api/replays/route";
import type { Replay, StartedReplay } from "@/lib/schema/traces/replay";
import { createAgent } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

const write = (content: string) => ({ name: "write_file", args: { path: "a.txt", content } });

/** The third answer waits for what a test puts here. */
let gate: PromiseLike<unknown> | undefined;

const TURNS: ScriptedAnswer[] = [
  { text: "First.", calls: [write("one")] },
  { text: "Second.", calls: [write("two")] },
  {
    text: "Third.",
    calls: [write("three")],
    get gate() {
      return gate;
    },
  } as ScriptedAnswer,
  { text: "Done." },
];

const { server, newThread, say } = approvalServer({ Work: TURNS });

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, tools: ["write_todos"] };
  await createAgent(server().services, {
    agentId: "worker",
    raw: { ...base, backend: { type: "state" }, name: "W" },
    createdById: null,
  });
});

const db = () => server().database;

async function recorded(): Promise<string> {
  gate = undefined;
  const { run_id: runId } = await say("Work", newThread(), "worker");
  await flushSpans();
  await db().runEvent.deleteMany();
  return runId;
}

/** A replay whose run has its third step under way: the model has been asked, and has not answered. */
async function startedUpToStep3(runId: string): Promise<StartedReplay & { readonly letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const asked = server().provider.requests.length;
  const reply = await server().call(postReplay, { as: "member", method: "POST", path: "/x", body: { runId } });
  const started: StartedReplay = await reply.json();
  await vi.waitFor(() => expect(server().provider.requests.length).toBe(asked + 3), { timeout: 20_000 });
  return { ...started, letGo: () => resolve() };
}

const get = async (replayId: string): Promise<Replay> =>
  (await server().call(getReplayRoute, { as: "member", params: { replayId } })).json();

test("a replay whose process dies is continued by another: steps that were done are neither asked nor answered again", async () => {
  const runId = await recorded();
  const { replayId, runIds, letGo } = await startedUpToStep3(runId);
  const [id = ""] = runIds;
  const asked = server().provider.requests.length;
  await db().run.update({ where: { id }, data: { leaseOwner: "dead", epoch: { increment: 1 } } });
  await takeJobsOfDeadWorkers(db());
  gate = undefined;
  letGo();
  await vi.waitFor(async () => expect(await db().run.count({ where: { id, endedAt: null } })).toBe(0), {
    timeout: 30_000,
  });
  await flushSpans();
  expect(await db().run.findUnique({ where: { id } })).toMatchObject({ status: "completed", takeovers: 1, steps: 4 });
  expect(server().provider.requests.length).toBe(asked + 2);
  expect(await get(replayId)).toMatchObject({ same: { runs: 1, of: 1 }, runs: [{ firstDifference: null }] });
});

test("Stop ends a replay in mid-flight: the run under way is cut off, its sibling that has ended stays", async () => {
  const runId = await recorded();
  const done: StartedReplay = await (
    await server().call(postReplay, { as: "member", method: "POST", path: "/x", body: { runId } })
  ).json();
  await vi.waitFor(
    async () => {
      expect(await db().run.count({ where: { replayId: done.replayId, endedAt: null } })).toBe(0);
    },
    { timeout: 20_000 },
  );
  const { replayId, runIds, letGo } = await startedUpToStep3(runId);
  const stop = () => server().call(cancelRoute, { as: "member", method: "POST", params: { replayId } });
  expect((await stop()).status).toBe(200);
  await vi.waitFor(
    async () => {
      expect(await db().run.count({ where: { replayId, endedAt: null } })).toBe(0);
    },
    { timeout: 20_000 },
  );
  letGo();
  await flushSpans();
  expect(await db().run.findUnique({ where: { id: runIds[0] ?? "" } })).toMatchObject({
    status: "cancelled",
    cancelledBy: "member",
  });
  expect(await get(replayId)).toMatchObject({
    same: { runs: 0, of: 1 },
    runs: [{ status: "cancelled", sameCalls: null, firstDifference: null }],
  });
  expect((await get(done.replayId)).same).toEqual({ runs: 1, of: 1 });
  expect((await stop()).status).toBe(200);
});
