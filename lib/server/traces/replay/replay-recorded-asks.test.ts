import { beforeAll, expect, test, vi } from "vitest";
import { POST as cancelRoute } from "@/app/api/replays/[replayId]/cancel/route";
import { GET as getReplayRoute } from "@/app/api/replays/[replayId]/route";
import { POST as postReplay } from "@/app/api/replays/route";
import { GET as getRunRoute } from "@/app/api/runs/[runId]/route";
import type { Run } from "@/lib/schema/runs/run";
import type { Replay, StartedReplay } from "@/lib/schema/traces/replay";
import type { Role } from "@/lib/schema/users/user";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";

const write = { name: "write_file", args: { path: "a.txt", content: "asked" } };

const { server, newThread, say, decideOn } = approvalServer({
  Write: [{ calls: [write] }, { text: "Written." }],
  Delegate: [
    { calls: [{ name: "task", args: { agent: "helper", description: "d", prompt: "Help" } }] },
    { text: "Helped." },
  ],
  Help: [{ text: "Of the child." }],
  Hello: [{ text: "Hello." }],
});

const PARENT = {
  name: "Parent",
  model: "scripted:m",
  retries: 0,
  system_prompt: "You delegate.",
  tools: ["calculate"],
};

beforeAll(async () => {
  const subagents = [{ name: "helper", description: "Helps.", prompt: "You help." }];
  await createAgent(server().services, { agentId: "parent", raw: { ...PARENT, subagents }, createdById: null });
});

const db = () => server().database;
const post = (body: object, as: Role = "member") =>
  server().call(postReplay, { as, method: "POST", path: "/api/replays", body });

async function ended(reply: Response): Promise<StartedReplay> {
  expect(reply.status).toBe(202);
  const started: StartedReplay = await reply.json();
  await vi.waitFor(
    async () => {
      expect(await db().run.count({ where: { replayId: started.replayId, endedAt: null } })).toBe(0);
    },
    { timeout: 20_000 },
  );
  await flushSpans();
  return started;
}

async function get(replayId: string, as: Role = "member"): Promise<Replay> {
  return (await server().call(getReplayRoute, { as, params: { replayId } })).json();
}

test("what a person allowed or denied is recorded: nobody is asked again, and a waiting run is not replayed yet", async () => {
  for (const decision of ["allow", "deny"]) {
    const thread = newThread();
    const reply = await say("Write", thread);
    expect((await post({ runId: reply.run_id })).status).toBe(409);
    const [id] = idsOf(reply);
    expect((await decideOn(thread, [{ tool_call_id: id, decision }])).status).toBe(200);
    await vi.waitFor(
      async () => {
        expect(await db().run.count({ where: { id: reply.run_id, endedAt: null } })).toBe(0);
      },
      { timeout: 20_000 },
    );
    await flushSpans();
    const asks = await db().approval.count();
    const { replayId, runIds } = await ended(await post({ runId: reply.run_id }));
    expect((await get(replayId)).same).toEqual({ runs: 1, of: 1 });
    expect(await db().approval.count()).toBe(asks);
    const result = await db().message.findFirstOrThrow({ where: { runId: runIds[0] ?? "", role: "tool" } });
    expect(result.content.includes("bytes_written")).toBe(decision === "allow");
  }
});

test("a subagent is not run again, and its own run is replayed with the one above it", async () => {
  const { run_id: runId } = await say("Delegate", newThread(), "parent");
  await flushSpans();
  const child = await db().run.findFirstOrThrow({ where: { parentRunId: runId } });
  const { replayId, runIds } = await ended(await post({ runId }));
  expect((await get(replayId)).same).toEqual({ runs: 1, of: 1 });
  expect(await db().run.count({ where: { parentRunId: runIds[0] ?? "" } })).toBe(0);
  const refused = await post({ runId: child.id });
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    409,
    "A subagent's run is replayed with the run above it.",
  ]);
});

test("another version brings its prompt and its tools; the control stays on the recorded one", async () => {
  const { run_id: runId } = await say("Hello", newThread(), "parent");
  await flushSpans();
  const before = server().provider.requests.at(-1)?.body;
  const raw = { ...PARENT, system_prompt: "You do it yourself.", tools: ["calculate", "current_datetime"] };
  await publishChange(server().services, "parent", () => raw, { createdById: null });
  await ended(await post({ runId }, "admin"));
  expect(server().provider.requests.at(-1)?.body).toEqual(before);
  const { replayId, runIds } = await ended(await post({ runId, with: { version: 2 } }, "admin"));
  const sent = JSON.stringify(server().provider.requests.at(-1)?.body);
  expect(sent).toContain("You do it yourself.");
  expect(sent).not.toContain("You delegate.");
  const names = (server().provider.requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);
  expect(names.toSorted()).toEqual(["calculate", "current_datetime", "write_todos"]);
  expect(await get(replayId, "admin")).toMatchObject({ changes: ["version 2"], control: { same: { runs: 1, of: 1 } } });
  const run: Run = await (await server().call(getRunRoute, { as: "admin", params: { runId: runIds[0] ?? "" } })).json();
  expect(run).toMatchObject({ replayOf: runId, fromStep: 1, replayId, version: 2, origin: { kind: "replay" } });
});

test("a member may choose only models that the agent offers, and stopping ended runs changes nothing", async () => {
  const { run_id: runId } = await say("Hello", newThread(), "parent");
  await flushSpans();
  const other = { runId, with: { config: { model: "scripted:other" } } };
  expect((await post(other)).status).toBe(400);
  const { replayId } = await ended(await post(other, "admin"));
  expect(server().provider.requests.at(-1)?.body.model).toBe("other");
  const stop = (as: Role) => server().call(cancelRoute, { as, method: "POST", params: { replayId } });
  expect((await stop("member")).status).toBe(404);
  const stopped = await stop("admin");
  expect((await stopped.json()).runs).toMatchObject([{ status: "completed", sameCalls: true }]);
});
