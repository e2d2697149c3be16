import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Heartbeat } from "@/lib/schema/triggers/heartbeat";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { GET as readFile, PUT as writeFile } from "./[heartbeatId]/file/route";
import { GET as listFirings } from "./[heartbeatId]/firings/route";
import { PATCH as change, GET as getOne, DELETE as remove } from "./[heartbeatId]/route";
import { POST as runHeartbeatNow } from "./[heartbeatId]/run/route";
import { POST as create, GET as list } from "./route";

/** The HTTP tool's reply. */
let answer: unknown;
const tool = createServer((_, response) => response.end(JSON.stringify({ result: answer })));
const toolHost = () => `127.0.0.1:${(tool.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => void tool.listen(0, "127.0.0.1", resolve)));
afterAll(() => void tool.close());

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: toolHost() });
  const config = { model: "scripted:m", backend: { type: "state" as const }, tools: ["ci_state"] };
  await addAgent(server.database, "ops", { name: "Ops", ...config, heartbeat: { every: "45m", max_steps: 4 } });
  await addAgent(server.database, "coder", { name: "Coder", ...config });
});
afterEach(() => server.close());

type As = "member" | "viewer" | "admin";

async function make(body: object = {}, as: As = "member"): Promise<Heartbeat> {
  const reply = await server.call(create, { as, body: { agentId: "ops", ...body } });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return reply.json();
}
const refused = async (body: object, as: As = "member") => {
  const reply = await server.call(create, { as, body: { agentId: "ops", ...body } });
  return [reply.status, (await reply.json()).error?.details?.[0]?.path];
};
const on = (route: typeof getOne, { id }: Heartbeat, as: As = "member", body?: object) =>
  server.call(route, { as, params: { heartbeatId: id }, ...(body ? { body } : {}) });

test("an agent's block is a template: nothing beats until a person turns it on, and then with what it says", async () => {
  const { heartbeats, offered } = await (await server.call(list, { as: "member" })).json();
  expect(heartbeats).toEqual([]);
  expect(offered).toEqual([{ agentId: "ops", agentName: "Ops", agentVersion: 1, every: "45m", dayUsd: 0.25 }]);
  const made = await make({ budget: { day_usd: 0.1 }, active: null });
  expect(made).toMatchObject({
    agentId: "ops",
    agentName: "Ops",
    ownerId: "member",
    kind: "heartbeat",
    enabled: true,
    every: "45m",
    max_steps: 4,
    active: null,
    timezone: "user",
    budget: { day_usd: 0.1 },
    deliver: "last",
    on_ask: "deny",
    idle_pause_days: 14,
    pauseMs: 45 * 60_000,
    firings: [],
    lastSaid: null,
    todayBeats: 0,
  });
  const inMs = Date.parse(made.nextDueAt ?? "") - Date.parse(made.createdAt);
  expect(Math.round(inMs / 60_000)).toBe(45);
  expect(await (await on(getOne, made)).json()).toEqual(made);
  const listed = await (await server.call(list, { as: "member" })).json();
  expect(listed).toEqual({ heartbeats: [made], offered: [], nextCursor: null });
});

test("each person has one of an agent, and every problem is named with its field", async () => {
  await make();
  expect((await refused({}))[0]).toBe(409);
  expect((await make({}, "admin")).ownerId).toBe("admin");
  const coder = { agentId: "coder" };
  expect(await refused({ ...coder, every: "1s" })).toEqual([400, "every"]);
  expect(await refused({ ...coder, every: "30d" })).toEqual([400, "every"]);
  expect(await refused({ ...coder, active: "8-20" })).toEqual([400, "active"]);
  expect(await refused({ ...coder, active: "08:00-08:00" })).toEqual([400, "active"]);
  expect(await refused({ ...coder, timezone: "Berlin" })).toEqual([400, "timezone"]);
  expect(await refused({ ...coder, when: [{ http: "no_such_tool" }] })).toEqual([400, "when.0.http"]);
  expect(await refused({ ...coder, deliver: [{ pigeon: true }] })).toEqual([400, "deliver.0.pigeon"]);
  expect((await refused({ agentId: "nobody" }))[0]).toBe(404);
  expect((await refused(coder, "viewer"))[0]).toBe(403);
});

test("others do not find it; administrators read and delete it, and change only their own", async () => {
  const made = await make();
  expect((await on(getOne, made, "viewer")).status).toBe(404);
  expect((await on(getOne, made, "admin")).status).toBe(200);
  expect((await on(change, made, "admin", { every: "1h" })).status).toBe(403);
  expect((await on(runHeartbeatNow, made, "admin")).status).toBe(403);
  expect((await on(readFile, made, "admin")).status).toBe(403);
  const all = await (await server.call(list, { as: "admin" })).json();
  expect(all.heartbeats.map(({ id }: Heartbeat) => id)).toEqual([made.id]);
  expect((await on(remove, made, "admin")).status).toBe(204);
  expect((await on(getOne, made)).status).toBe(404);
  const actions = await server.database.auditEntry.findMany({
    where: { target: `heartbeat:${made.id}` },
    orderBy: { createdAt: "asc" },
  });
  expect(actions.map(({ actorId, action }) => `${actorId} ${action}`)).toEqual([
    "member heartbeat.created",
    "admin heartbeat.deleted",
  ]);
});

test("turning it off and on begins with the shortest pause; a change keeps what it leaves out", async () => {
  const made = await make({ max_steps: 7 });
  const off: Heartbeat = await (await on(change, made, "member", { enabled: false })).json();
  expect(off).toMatchObject({ enabled: false, nextDueAt: null, max_steps: 7 });
  const state = { pauseMs: 4 * 3_600_000, empty: 2, said: [], files: {}, lookedAt: null, answers: [] };
  await server.database.trigger.updateMany({
    data: { state: JSON.stringify(state), pausedReason: "idle", failures: 2 },
  });
  expect((await (await on(getOne, made)).json()).pauseMs).toBe(4 * 3_600_000);
  const back: Heartbeat = await (await on(change, made, "member", { enabled: true })).json();
  expect(back).toMatchObject({ enabled: true, pausedReason: null, failures: 0, pauseMs: 45 * 60_000, max_steps: 7 });
  const slower: Heartbeat = await (await on(change, made, "member", { every: "2h" })).json();
  expect(slower).toMatchObject({ every: "2h", pauseMs: 7_200_000, max_steps: 7 });
  expect((await on(change, made, "member", { timezone: "Nowhere" })).status).toBe(400);
});

test("HEARTBEAT.md is edited in place, version by version, and not over what was written in between", async () => {
  const made = await make();
  const before = await (await on(readFile, made)).json();
  expect(before).toEqual({ content: "", place: "none", version: null, hasTasks: false, canEdit: true });
  const wrote = await on(writeFile, made, "member", { content: "- reviews", before: "" });
  expect(await wrote.json()).toEqual({
    content: "- reviews",
    place: "workspace",
    version: 1,
    hasTasks: true,
    canEdit: true,
  });
  expect((await on(writeFile, made, "member", { content: "- CI", before: "" })).status).toBe(409);
  expect(
    (await (await on(writeFile, made, "member", { content: "# None", before: "- reviews" })).json()).hasTasks,
  ).toBe(false);
  const { reason, stoppedBy, state } = await (await on(runHeartbeatNow, made)).json();
  expect({ reason, stoppedBy, state }).toEqual({
    reason: "HEARTBEAT.md names nothing to do.",
    stoppedBy: "file",
    state: "skipped",
  });
  const { firings } = await (await on(listFirings, made)).json();
  expect(firings).toHaveLength(1);
  const { todayBeats, todayCalls, month } = await (await on(getOne, made)).json();
  expect({ todayBeats, todayCalls }).toEqual({ todayBeats: 1, todayCalls: 0 });
  expect(month).toMatchObject({ beats: 1, calls: 0, stopped: { file: 1, when: 0 }, monthUsd: null });
});

test("an HTTP tool is asked without a model: only {yes: true} goes on", async () => {
  answer = { yes: false };
  await server.database.httpTool.create({
    data: {
      name: "ci_state",
      description: "CI",
      parameters: '{"type":"object","properties":{"branch":{"type":"string"}}}',
      callbackUrl: `http://${toolHost()}/ci`,
      createdById: "admin",
      readOnly: true,
    },
  });
  const made = await make({ active: null, when: [{ http: "ci_state", args: { branch: "main" } }] });
  await on(writeFile, made, "member", { content: "- CI of main", before: "" });
  expect(await (await on(runHeartbeatNow, made)).json()).toMatchObject({
    stoppedBy: "when",
    reason: "Nothing new: ci_state says no.",
  });
  answer = "broken";
  await on(runHeartbeatNow, made);
  answer = { yes: true };
  const due = new Date(made.nextDueAt ?? "");
  await fireTrigger(server.services, made.id, due);
  const shown: Heartbeat = await (await on(getOne, made)).json();
  expect(shown.firings.map(({ state, stoppedBy }) => [state, stoppedBy])).toEqual([
    ["skipped", "when"],
    ["skipped", "when"],
    ["started", null],
  ]);
  expect(shown.answers).toEqual([{ isYes: true, words: "ci_state says yes" }]);
  const run = await server.database.run.findFirstOrThrow();
  expect(run).toMatchObject({ ownerId: "member", origin: "heartbeat", agentId: "ops" });
  expect(run.input).toContain("Why now: ci_state says yes.");
  await server.database.httpTool.updateMany({ data: { readOnly: false } });
  expect((await on(change, made, "member", { every: "1h" })).status).toBe(400);
});

const CLOSED = `import { defineHook, deny, guardHook } from "ringmaster";
export default defineHook({ name: "closed", create: () => guardHook({ preToolUse: () => deny("Not today.") }) });`;

test.for([
  ["deny", "the rules of its agent deny this ci_state call"],
  ["ask", "the rules of its agent ask before this ci_state call, and nobody is asked here"],
  ["hook", "the hooks of its agent refuse this ci_state call: Not today"],
] as const)("an HTTP tool is not asked where a %s of the agent is against it", async ([verdict, why]) => {
  answer = { yes: true };
  const folder = await extensionFolder({ "closed.ts": CLOSED });
  onTestFinished(() => folder.close());
  await server.database.httpTool.create({
    data: {
      name: "ci_state",
      description: "CI",
      parameters: '{"type":"object","properties":{"branch":{"type":"string"}}}',
      callbackUrl: `http://${toolHost()}/ci`,
      createdById: "admin",
      readOnly: true,
    },
  });
  const when = [{ http: "ci_state", args: { branch: "main" } }];
  const made = await make({ active: null, when });
  await on(writeFile, made, "member", { content: "- CI of main", before: "" });
  const before = await server.database.agentVersion.findFirstOrThrow({ where: { agentId: "ops" } });
  const permissions = { enabled: true, [verdict]: [{ tool: "ci_state", args: { branch: "main" } }] };
  const strict = verdict === "hook" ? { hooks: ["closed"] } : { permissions };
  const config = JSON.stringify({ ...JSON.parse(before.config), ...strict });
  await server.database.agentVersion.create({ data: { ...before, id: `strict_${verdict}`, number: 2, config } });
  await server.database.agent.update({ where: { id: "ops" }, data: { currentVersionId: `strict_${verdict}` } });
  expect(await (await on(runHeartbeatNow, made)).json()).toMatchObject({
    stoppedBy: "when",
    reason: `Nothing new: ci_state could not be asked: ${why}.`,
  });
  // What a hook says may differ from call to call.
  expect((await on(change, made, "member", { every: "1h" })).status).toBe(verdict === "hook" ? 200 : 400);
  expect((await on(change, made, "member", { when: [{ http: "ci_state", args: { branch: "next" } }] })).status).toBe(
    200,
  );
});

test.for(["deny", "ask"])("HEARTBEAT.md is not read where a rule of the agent says %s", async (verdict) => {
  const made = await make({ active: null });
  await on(writeFile, made, "member", { content: "- CI of main", before: "" });
  const before = await server.database.agentVersion.findFirstOrThrow({ where: { agentId: "ops" } });
  const permissions = { enabled: true, [verdict]: [{ tool: "Read", args: { file_path: "HEARTBEAT.md" } }] };
  const config = JSON.stringify({ ...JSON.parse(before.config), permissions });
  await server.database.agentVersion.create({ data: { ...before, id: "strict", number: 2, config } });
  await server.database.agent.update({ where: { id: "ops" }, data: { currentVersionId: "strict" } });
  expect(await (await on(runHeartbeatNow, made)).json()).toMatchObject({
    stoppedBy: "file",
    reason: "The rules of its agent do not allow reading HEARTBEAT.md without asking.",
  });
  expect(await (await on(readFile, made)).json()).toMatchObject({ content: "- CI of main" });
});
