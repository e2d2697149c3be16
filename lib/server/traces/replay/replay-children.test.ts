import { beforeAll, expect, test, vi } from "vitest";
import { POST as cancelRoute } from "@/app/api/replays/[replayId]/cancel/route";
import type { StartedReplay } from "@/lib/schema/traces/replay";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { replayServer } from "@/lib/testing/traces/replay-fixture";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });
const read = (path: string) => ({ name: "read_file", args: { path } });
const task = (agent: string, prompt: string) => ({
  name: "task",
  args: { agent, description: "A part", prompt },
});

/** The subagent's first answer waits for what a test puts here. */
let gate: PromiseLike<unknown> | undefined;

const { server, db, newThread, recorded, post, start, settled, get, resultsOf, filesOf } = replayServer({
  Share: [
    { calls: [write("parent.txt", "of the parent")] },
    { calls: [task("helper", "Help")] },
    { calls: [read("child.txt")] },
    { text: "Both done." },
  ],
  Help: [{ calls: [read("parent.txt"), write("child.txt", "of the child")] }, { text: "Helped." }],
  Give: [{ calls: [task("expert", "Advise")] }, { text: "Asked." }],
  Advise: [{ calls: [read("notes.txt")] }, { calls: [write("notes.txt", "new notes")] }, { text: "Advised." }],
  "Share differently": [{ calls: [task("helper", "Help otherwise")] }, { text: "Both done." }],
  "Help otherwise": [{ calls: [write("child.txt", "otherwise")] }, { text: "Helped otherwise." }],
  "Share slowly": [{ calls: [task("helper", "Help slowly")] }, { text: "Both done." }],
  "Help slowly": [
    {
      calls: [write("child.txt", "slowly")],
      get gate() {
        return gate;
      },
    } as ScriptedAnswer,
    { text: "Helped slowly." },
  ],
  Note: [{ calls: [write("notes.txt", "old notes")] }, { text: "Noted." }],
});

const BASE = { model: "scripted:m", retries: 0, backend: { type: "state", scope: "user" } };
const EXPERT = { ...BASE, name: "Expert", description: "Knows.", system_prompt: "You know." };

beforeAll(async () => {
  await createAgent(server().services, { agentId: "expert", raw: EXPERT, createdById: null });
  const helper = { name: "helper", description: "Helps.", prompt: "You help." };
  const raw = { ...BASE, name: "Boss", system_prompt: "You share work.", subagents: [helper, "expert"] };
  await createAgent(server().services, { agentId: "boss", raw, createdById: null });
});

const childOf = (parentRunId: string) => db().run.findFirstOrThrow({ where: { parentRunId } });

test("a subagent runs again under the same policy, on the files of the replay, with what it was sent then", async () => {
  const runId = await recorded("Share", "boss");
  const original = await childOf(runId);
  const before = await db().workspaceFile.count({ where: { workspace: { threadId: null } } });
  const asked = server().provider.requests.length;
  const { replayId, runIds } = await start({ runId, tools: { default: "sandbox" } });
  const [id = ""] = runIds;
  expect(await get(replayId)).toMatchObject({ same: { runs: 1, of: 1 }, runs: [{ firstDifference: null }] });
  const child = await childOf(id);
  expect(child).toMatchObject({
    replayId,
    replayOf: original.id,
    fromStep: 1,
    status: "completed",
    origin: "subagent",
  });
  expect((await resultsOf(child.id))[0]).toContain("of the parent");
  expect((await resultsOf(id)).at(-1)).toContain("of the child");
  expect(await filesOf(id)).toEqual({ "child.txt": "of the child", "parent.txt": "of the parent" });
  expect(await db().workspaceFile.count({ where: { workspace: { threadId: null } } })).toBe(before);
  const sent = server()
    .provider.requests.slice(asked)
    .map(({ body }) => JSON.stringify(body));
  expect(sent.filter((body) => body.includes("You help."))).toHaveLength(2);
});

test("with recorded tools no subagent runs; one that the recording lacks runs as itself, under the same policy", async () => {
  const runId = await recorded("Share", "boss");
  const plain = await start({ runId });
  expect(await db().run.count({ where: { parentRunId: plain.runIds[0] ?? "" } })).toBe(0);
  const body = { runId, with: { message: "Share differently" }, tools: { default: "sandbox" } };
  const { runIds } = await start(body);
  const [id = ""] = runIds;
  expect(await childOf(id)).toMatchObject({ replayOf: null, fromStep: null, status: "completed" });
  expect((await filesOf(id))["child.txt"]).toBe("otherwise");
  expect((await resultsOf(id))[0]).toContain("Helped otherwise.");
});

test("a subagent that is an agent of its own has a copy of its own files, and answers as the version of then", async () => {
  await recorded("Note", "expert");
  const runId = await recorded("Give", "boss");
  const original = await childOf(runId);
  await recorded("Note", "expert", newThread());
  const raw = { ...EXPERT, system_prompt: "You know better." };
  await publishChange(server().services, "expert", () => raw, { createdById: null });
  const where = { agentId: "expert", threadId: null };
  const { id: own } = await db().workspace.findFirstOrThrow({ where });
  const before = await db().fileVersion.count({ where: { workspaceId: own } });
  const { replayId, runIds } = await start({ runId, tools: { default: "sandbox" } });
  expect((await get(replayId)).same).toEqual({ runs: 1, of: 1 });
  const child = await childOf(runIds[0] ?? "");
  expect(child.agentVersionId).toBe(original.agentVersionId);
  expect(await resultsOf(child.id)).toEqual(await resultsOf(original.id));
  expect(await db().fileVersion.count({ where: { workspaceId: own } })).toBe(before);
});

test("each run of a replay counts once, whatever its subagents do", async () => {
  const runId = await recorded("Share", "boss");
  const { replayId } = await start({ runId, repeat: 2, tools: { default: "sandbox" } });
  const { runs, same } = await get(replayId);
  expect([runs.length, same]).toEqual([2, { runs: 2, of: 2 }]);
  expect(await db().run.count({ where: { replayId } })).toBe(4);
});

test("Stop ends the subagents of a replay too, in mid-flight, and nothing of them is done later", async () => {
  const runId = await recorded("Share slowly", "boss");
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  gate = promise;
  const asked = server().provider.requests.length;
  const reply = await post({ runId, tools: { default: "sandbox" } });
  const started: StartedReplay = await reply.json();
  await vi.waitFor(() => expect(server().provider.requests.length).toBe(asked + 2), { timeout: 20_000 });
  const params = { replayId: started.replayId };
  expect((await server().call(cancelRoute, { as: "member", method: "POST", params })).status).toBe(200);
  await settled(started);
  letGo();
  gate = undefined;
  const [id = ""] = started.runIds;
  const runs = await db().run.findMany({ where: { replayId: started.replayId }, orderBy: { depth: "asc" } });
  expect(runs.map(({ depth, status, cancelledBy }) => [depth, status, cancelledBy])).toEqual([
    [0, "cancelled", "member"],
    [1, "cancelled", "member"],
  ]);
  expect(server().provider.requests.length).toBe(asked + 2);
  expect((await filesOf(id))["child.txt"]).not.toBe("slowly");
  expect((await get(started.replayId)).runs).toMatchObject([{ status: "cancelled", sameCalls: null }]);
});
