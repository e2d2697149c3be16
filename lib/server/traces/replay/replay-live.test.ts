import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { POST as register } from "@/app/agents/tools/register/route";
import { POST as decide } from "@/app/api/runs/[runId]/decisions/route";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { replayServer } from "@/lib/testing/traces/replay-fixture";

const send = (to: string) => ({ name: "send_letter", args: { to } });
const look = { name: "look_up", args: { about: "x" } };
const write = { name: "write_file", args: { path: "a.txt", content: "one" } };

const TURNS = {
  Post: [{ calls: [look, send("Ada")] }, { text: "Sent." }],
  "Post elsewhere": [{ calls: [look, send("Bob")] }, { text: "Sent." }],
  Write: [{ calls: [write] }, { text: "Written." }],
};

/** What the service behind the tools was asked for. */
let asked: string[] = [];
const service = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    asked.push(/"(?:to|about)":"(\w+)"/.exec(body)?.[1] ?? body);
    response.end(JSON.stringify({ result: `answer ${asked.length}` }));
  });
});

let host = "";

const { server, db, say, newThread, decideOn, recorded, post, start, settled, refused, get, plan, resultsOf, filesOf } =
  replayServer(TURNS, async () => {
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
    return { RINGMASTER_ALLOWED_PRIVATE_HOSTS: host };
  });

const BASE = { model: "scripted:m", retries: 0, system_prompt: "You post.", backend: { type: "state" } };
const PERMISSIONS = { enabled: true, mode: "bypass" };

beforeAll(async () => {
  for (const [name, readOnly] of [
    ["look_up", true],
    ["send_letter", false],
  ] as const) {
    const parameters = { type: "object", properties: { to: { type: "string" }, about: { type: "string" } } };
    const tool = { name, description: name, parameters, callback_url: `http://${host}/`, read_only: readOnly };
    expect((await server().call(register, { as: "admin", body: tool })).status).toBe(201);
  }
  const raw = { ...BASE, name: "Poster", tools: ["look_up", "send_letter"], permissions: PERMISSIONS };
  await createAgent(server().services, { agentId: "poster", raw, createdById: null });
});
beforeEach(() => {
  asked = [];
});
afterAll(() => void service.close());

async function decideOnRun(runId: string, decision: "allow" | "deny") {
  const [row] = await db().approval.findMany({ where: { runId, status: "pending" } });
  const body = { decisions: [{ tool_call_id: row?.toolCallId, decision }] };
  const reply = await server().call(decide, { as: "member", method: "POST", params: { runId }, body });
  expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
}

test("in the sandbox, what reaches outside keeps its recorded result", async () => {
  const runId = await recorded("Post", "poster");
  expect(asked.toSorted()).toEqual(["Ada", "x"]);
  const { replayId } = await start({ runId, tools: { default: "sandbox" } });
  expect((await get(replayId)).same).toEqual({ runs: 1, of: 1 });
  expect(asked).toHaveLength(2);
  expect(await refused({ runId, tools: { per: { send_letter: "sandbox" } } })).toEqual([
    400,
    "tools.per.send_letter: can't run in the sandbox: choose recorded, ask or live.",
  ]);
});

test("tools that only read go live by themselves; the others only once each of them is named", async () => {
  const runId = await recorded("Post", "poster");
  await start({ runId, tools: { per: { look_up: "live" } } });
  expect(asked.slice(2)).toEqual(["x"]);
  const named = "confirmLive: must name the tools that would really run: send_letter.";
  const all = { runId, tools: { default: "live" } };
  expect(await refused(all)).toEqual([400, expect.stringContaining("send_letter")]);
  expect(await refused({ runId, tools: { per: { "send_*": "live" } } })).toEqual([400, named]);
  expect(asked).toHaveLength(3);
  const { tools } = await plan(runId);
  const confirmLive = tools.flatMap(({ name, readOnly }) => (readOnly === false ? [name] : []));
  expect(confirmLive).toContain("send_letter");
  const { replayId } = await start({ ...all, confirmLive });
  expect(asked.slice(3).toSorted()).toEqual(["Ada", "x"]);
  expect(await get(replayId)).toMatchObject({ changes: ["tools live"], runs: [{ status: "completed" }] });
  const entry = await db().auditEntry.findFirstOrThrow({
    where: { action: "replay.started", details: { contains: replayId } },
  });
  expect(entry.details).toContain("send_letter");
});

test("a live run on another version uses that version's prompt, and its tools really run", async () => {
  const runId = await recorded("Post", "poster");
  const raw = { ...BASE, name: "Poster", tools: ["look_up", "send_letter", "calculate"], permissions: PERMISSIONS };
  await publishChange(server().services, "poster", () => ({ ...raw, system_prompt: "You post fast." }), {
    createdById: null,
  });
  const body = { runId, with: { version: 2 }, tools: { default: "live" } };
  expect((await refused(body, "admin"))[0]).toBe(400);
  const confirmLive = ["write_todos", "write_file", "edit_file", "send_letter"];
  const { replayId } = await start({ ...body, confirmLive }, "admin");
  expect(asked.slice(2).toSorted()).toEqual(["Ada", "x"]);
  expect(JSON.stringify(server().provider.requests.at(-1)?.body)).toContain("You post fast.");
  expect(await get(replayId, "admin")).toMatchObject({
    changes: ["version 2", "tools live"],
    runs: [{ status: "completed", sameCalls: true }],
  });
  expect(await db().run.findFirst({ where: { replayId } })).toMatchObject({ ownerId: "admin" });
});

test("live files are the replay's own", async () => {
  const runId = await recorded("Write", "poster");
  const before = await db().fileVersion.count();
  const tools = { per: { write_file: "live" } };
  const { runIds } = await start({ runId, tools, confirmLive: ["write_file"] });
  const [id = ""] = runIds;
  expect(await filesOf(id)).toEqual({ "a.txt": "one" });
  expect(await db().fileVersion.count()).toBe(before + 1);
  expect(await db().fileVersion.count({ where: { runId: id } })).toBe(1);
});

test("a tool that asks waits for a person before each call, and a refused call does not run", async () => {
  const runId = await recorded("Post", "poster");
  for (const decision of ["allow", "deny"] as const) {
    asked = [];
    const started = await start({ runId, tools: { per: { send_letter: "ask" } } });
    const [id = ""] = started.runIds;
    expect(await db().run.findUnique({ where: { id } })).toMatchObject({ status: "waiting" });
    expect((await get(started.replayId)).runs[0]).toMatchObject({ status: "waiting", sameCalls: null });
    expect(asked).toEqual([]);
    await decideOnRun(id, decision);
    await settled(started);
    expect(asked).toEqual(decision === "allow" ? ["Ada"] : []);
    expect((await get(started.replayId)).runs[0]).toMatchObject({ status: "completed", sameCalls: true });
    expect((await resultsOf(id)).at(-1)).toMatch(decision === "allow" ? /answer/ : /declined/);
  }
});

test("the agent's own rules ask again about calls that run, unless recorded decisions are to hold for the same calls", async () => {
  for (const decision of ["allow", "deny"] as const) {
    const thread = newThread();
    const reply = await say("Write", thread);
    const ids = idsOf(reply);
    await decideOn(thread, [{ tool_call_id: ids[0], decision, reason: "because" }]);
    const runId = reply.run_id;
    await reached(async () => (await db().run.count({ where: { id: runId, endedAt: null } })) === 0);
    await flushSpans();
    await db().runEvent.deleteMany();
    const tools = { default: "sandbox" };
    const again = await start({ runId, tools });
    expect(await db().run.findFirst({ where: { replayId: again.replayId } })).toMatchObject({ status: "waiting" });
    const asks = await db().approval.count();
    const { replayId, runIds } = await start({ runId, tools, reuse_decisions: true });
    expect(await db().approval.count()).toBe(asks);
    expect((await get(replayId)).runs[0]).toMatchObject({ status: "completed", sameCalls: true });
    const written = await db().fileVersion.count({ where: { runId: runIds[0] ?? "" } });
    expect(written).toBe(decision === "allow" ? 1 : 0);
  }
});

test("a viewer starts no replay, and nobody confirms for a tool that was not named", async () => {
  const runId = await recorded("Post", "poster");
  const all = { runId, tools: { default: "live" }, confirmLive: ["send_letter"] };
  expect((await post(all, "viewer")).status).toBe(403);
  expect((await refused(all))[1]).toMatch(/write_file/);
});
