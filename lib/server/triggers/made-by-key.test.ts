import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DELETE as revoke } from "@/app/api/api-keys/[keyId]/route";
import { POST as addCard } from "@/app/api/boards/[boardId]/tasks/route";
import { POST as openBoard } from "@/app/api/boards/route";
import { POST as addBudget } from "@/app/api/budgets/route";
import { POST as addHeartbeat } from "@/app/api/heartbeats/route";
import { PATCH as changeSchedule, GET as getSchedule } from "@/app/api/schedules/[scheduleId]/route";
import { POST as runSchedule } from "@/app/api/schedules/[scheduleId]/run/route";
import { POST as addSchedule } from "@/app/api/schedules/route";
import { POST as addWebhook } from "@/app/api/webhooks/route";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { startRun } from "@/lib/server/engine/accept";
import type { RunHost } from "@/lib/server/engine/host";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { insertFiringStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { boardHost } from "@/lib/testing/fixtures/board-fixture";
import { addAgent, reached } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { tickBoard } from "./boards/tick-board";
import { codeIn, createCode, pair } from "./channels/links/pairing";
import { fireTrigger } from "./fire-trigger";
import { keyAfterChange } from "./made-by-key";
import { createOwned } from "./schedules/owned-schedules";
import { startClaimed } from "./start-claimed";
import { whyLinkPaused } from "./why-paused";

let server: TestServer;
let host: RunHost;

beforeEach(async () => {
  server = await startTestServer();
  for (const id of ["k1", "k2"]) {
    await addAgent(server.database, id, { name: id, model: "scripted:m", backend: { type: "state" } });
  }
  host = await boardHost(server.database, () => "Done.");
});
afterEach(async () => {
  await host.stop();
  await server.close();
});

interface Key {
  readonly id: string;
  readonly text: string;
}

async function newKey(userId: "member" | "admin" = "member"): Promise<Key> {
  const text = await server.addKey(userId, userId === "admin" ? ["admin"] : ["read", "chat"]);
  const { id } = await server.database.apiKey.findFirstOrThrow({ orderBy: { createdAt: "desc" }, where: { userId } });
  await server.database.apiKey.update({ where: { id }, data: { name: "ci" } });
  return { id, text };
}

async function idOf(reply: Response): Promise<string> {
  expect(reply.status, await reply.clone().text()).toBeLessThan(300);
  const { id, webhook } = await reply.json();
  return id ?? webhook.id;
}

const NOW = new Date("2026-11-20T12:00:00Z");
const started = () => server.database.run.findMany({ where: { parentRunId: null }, orderBy: { createdAt: "asc" } });
const triggerOf = (id: string) => server.database.trigger.findUniqueOrThrow({ where: { id } });

/** Makes something with the key that starts runs of k1; `fire` starts the next one and says why it did not. */
type Kind = (key: Key) => Promise<{ fire(): Promise<string | null> }>;

async function claimed(triggerId: string): Promise<string | null> {
  const key = crypto.randomUUID();
  const row = { id: `fir_${key}`, triggerId, key, dueAt: NOW, createdAt: NOW, state: "claimed", prompt: "Go." };
  await server.database.runAll([insertFiringStatement(row)]);
  await startClaimed(server.services, triggerId, NOW);
  const firing = await server.database.firing.findUniqueOrThrow({ where: { id: row.id } });
  return firing.state === "started" ? null : firing.reason;
}

async function due(id: string): Promise<string | null> {
  const at = (await triggerOf(id)).nextDueAt ?? NOW;
  const before = await server.database.firing.count({ where: { triggerId: id, state: "started" } });
  await fireTrigger(server.services, id, at);
  const after = await server.database.firing.count({ where: { triggerId: id, state: "started" } });
  return after > before ? null : (await triggerOf(id)).pausedReason;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "a schedule": async ({ text: key }) => {
    const body = { agentId: "k1", name: "Brief", prompt: "Go.", every: "1h", overlap: "queue" };
    const id = await idOf(await server.call(addSchedule, { key, body }));
    return { fire: () => due(id) };
  },
  "a schedule that one of its runs made": async ({ id: apiKeyId }) => {
    const fields = { name: "Brief", prompt: "Go.", every: "1h", deliver: [{ thread: true }] as const };
    const { id } = await createOwned(server.services, { ownerId: "member", agentId: "k1", apiKeyId }, fields);
    return { fire: () => due(id) };
  },
  "a heartbeat": async ({ text: key }) => {
    const body = { agentId: "k1", every: "1h", active: null, when: [], budget: { day_usd: 100 } };
    const id = await idOf(await server.call(addHeartbeat, { key, body }));
    const { database } = server;
    const { workspace } = await openWorkspace(database, BackendConfig.parse({ type: "state" }), {
      agentId: "k1",
      ownerId: "member",
      threadId: null,
    });
    await workspace.write("HEARTBEAT.md", new TextEncoder().encode("- look"));
    return { fire: () => due(id) };
  },
  "a webhook": async ({ text: key }) => {
    const fields = { name: "Issues", prompt: "Triage.", signature: "none", runAs: "member" };
    const id = await idOf(await server.call(addWebhook, { key, body: { direction: "in", agentId: "k1", ...fields } }));
    return { fire: () => claimed(id) };
  },
  "a linked chat": async ({ id: keyId }) => {
    const row = { kind: "telegram", name: "Bot", agentId: "k1", credentials: "", receives: "", createdById: "admin" };
    const channel = await server.database.channel.create({ data: { id: "ch_1", ...row } });
    const { code } = await createCode(server.database, channel, { id: "member", keyId }, NOW);
    const chat = { id: "c", kind: "direct", name: "Petra" } as const;
    const sender = { id: "p", name: "Petra" };
    const link = await pair(server.database, codeIn(code) ?? "", { channel, chat, sender, now: NOW });
    const id = link?.id ?? "";
    return {
      fire: async () => (await whyLinkPaused(server.database, { id, userId: "member", agentId: "k1" })) ?? claimed(id),
    };
  },
  "a board": async ({ text: key }) => {
    const id = await idOf(await server.call(openBoard, { key, body: { name: "Team", members: ["k1"] } }));
    return {
      fire: async () => {
        const before = (await started()).length;
        const data = { id: crypto.randomUUID(), boardId: id, number: before + 1, title: "Work", status: "todo" };
        await server.database.boardCard.create({ data });
        await tickBoard(server.services, id);
        if ((await started()).length > before) return null;
        const { cause } = await server.database.boardCard.findUniqueOrThrow({ where: { id: data.id } });
        return (await server.database.board.findUniqueOrThrow({ where: { id } })).stoppedReason ?? cause;
      },
    };
  },
  "a card of a person's board": async ({ id: apiKeyId, text: key }) => {
    const id = await idOf(await server.call(openBoard, { as: "member", body: { name: "Team", members: ["k1"] } }));
    const boardId = id;
    await server.database.board.update({ where: { id }, data: { apiKeyId: null, stoppedAt: NOW } });
    const first = await idOf(await server.call(addCard, { key, params: { boardId }, body: { title: "Work" } }));
    expect((await server.database.boardCard.findUniqueOrThrow({ where: { id: first } })).apiKeyId).toBe(apiKeyId);
    await server.database.boardCard.delete({ where: { id: first } });
    await server.database.board.update({ where: { id }, data: { stoppedAt: null } });
    return {
      fire: async () => {
        const before = (await started()).length;
        const data = { id: crypto.randomUUID(), boardId, number: before + 2, title: "Work", status: "todo", apiKeyId };
        await server.database.boardCard.create({ data });
        await tickBoard(server.services, id);
        if ((await started()).length > before) return null;
        return (await server.database.boardCard.findUniqueOrThrow({ where: { id: data.id } })).cause;
      },
    };
  },
};

const ENDS: Readonly<Record<string, readonly [(key: Key) => Promise<unknown>, RegExp]>> = {
  "was revoked": [
    ({ id }) =>
      server.call(revoke, { as: "member", params: { keyId: id } }).then((reply) => expect(reply.ok).toBe(true)),
    /revoked/,
  ],
  "has expired": [
    ({ id }) => server.database.apiKey.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } }),
    /expired/,
  ],
  "was deleted": [({ id }) => server.database.apiKey.delete({ where: { id } }), /deleted|gone/],
  "no longer reaches the agent": [
    ({ id }) => server.database.apiKey.update({ where: { id }, data: { agents: '["k2"]' } }),
    /reach/,
  ],
};

describe.each(Object.keys(KINDS))("what an API key makes: %s", (kind) => {
  const make = (key: Key) => KINDS[kind]?.(key) ?? Promise.reject(new Error(kind));
  const keyFor = () => newKey(kind === "a webhook" ? "admin" : "member");

  test.each(Object.keys(ENDS))("starts a run that counts for the key, and none once the key %s", async (name) => {
    const [end, why] = ENDS[name] ?? [];
    const key = await keyFor();
    const made = await make(key);
    expect(await made.fire()).toBeNull();
    const before = await started();
    expect(before.map(({ apiKeyId }) => apiKeyId)).toEqual([key.id]);
    await reached(async () => (await started()).every(({ endedAt }) => endedAt !== null));
    if (kind === "a webhook" && name === "was revoked") {
      await server.call(revoke, { as: "admin", params: { keyId: key.id } });
    } else await end?.(key);
    expect(await made.fire()).toMatch(why ?? /./);
    expect(await started()).toHaveLength(1);
  });

  test("is held by the key's budgets", async () => {
    const key = await keyFor();
    const made = await make(key);
    const body = { scope: "key", scopeId: key.id, period: "day", usd: 0.01, on_reach: "stop" };
    await idOf(await server.call(addBudget, { as: "admin", body }));
    const why = await made.fire();
    if (kind === "a heartbeat") return expect(why).toBeNull();
    await reached(async () => (await started()).every(({ endedAt }) => endedAt !== null));
    const [run] = await started();
    expect(["limit", "failed"]).toContain(run?.status);
    expect(`${run?.notice} ${run?.errorMessage}`).toMatch(/the budget of \$0\.01 a day for ci is reached/i);
    expect(run?.costUsd).toBe(0);
  });
});

test("a message that waits in a thread's queue does not begin once its key has ended", async () => {
  await host.stop();
  const key = await newKey();
  const thread = { id: "th1", ownerId: "member", agentId: "k1", clientId: "th1" };
  await server.database.thread.create({ data: thread });
  const send = (content: string, apiKeyId: string | undefined) =>
    startRun(server.database, {
      ownerId: "member",
      threadId: "th1",
      agentId: "k1",
      messages: [{ role: "user", content }],
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
    });
  const own = await send("Mine.", undefined);
  const queued = await send("The key's.", key.id);
  await server.call(revoke, { as: "member", params: { keyId: key.id } });
  host = await boardHost(server.database, () => "Done.");
  await reached(async () => (await started()).every(({ endedAt }) => endedAt !== null));
  const runs = await started();
  expect(runs.map(({ id, status, errorMessage }) => [id, status, errorMessage])).toEqual([
    [own.runId, "completed", null],
    [queued.runId, "failed", "The API key that it was made with has been revoked."],
  ]);
});

describe("a schedule", () => {
  const body = { agentId: "k1", name: "Brief", prompt: "Go.", every: "1h" };
  const keyIdOf = async (id: string) => (await triggerOf(id)).apiKeyId;

  test("says on its page with which key it was made and what has become of that", async () => {
    const key = await newKey();
    const id = await idOf(await server.call(addSchedule, { key: key.text, body }));
    const shown = async () => (await server.call(getSchedule, { as: "member", params: { scheduleId: id } })).json();
    expect((await shown()).apiKey).toEqual({ id: key.id, name: "ci", state: "valid", expiresAt: null });
    await server.call(revoke, { as: "member", params: { keyId: key.id } });
    expect(await shown()).toMatchObject({
      enabled: false,
      pausedReason: "key_revoked",
      apiKey: { id: key.id, state: "revoked" },
    });
  });

  test("that a key changes is bound to that key; switching it on and off is not a change", async () => {
    const key = await newKey();
    const id = await idOf(await server.call(addSchedule, { as: "member", body }));
    await server.database.trigger.update({ where: { id }, data: { apiKeyId: null } });
    const change = (fields: object) =>
      server.call(changeSchedule, { key: key.text, params: { scheduleId: id }, body: fields, method: "PATCH" });
    expect((await change({ enabled: false })).ok).toBe(true);
    expect((await change({ enabled: true })).ok).toBe(true);
    expect(await keyIdOf(id)).toBeNull();
    expect((await change({ prompt: "Something else." })).ok).toBe(true);
    expect(await keyIdOf(id)).toBe(key.id);
  });

  test("of a person that is run now with a key counts for that key", async () => {
    const key = await newKey();
    const id = await idOf(await server.call(addSchedule, { as: "member", body }));
    await server.database.trigger.update({ where: { id }, data: { apiKeyId: null } });
    await server.call(runSchedule, { key: key.text, params: { scheduleId: id } });
    expect((await started()).map(({ apiKeyId }) => apiKeyId)).toEqual([key.id]);
    expect(await keyIdOf(id)).toBeNull();
  });
});

test("what a person switches on again, signed in, after the key has ended is theirs", async () => {
  const { database } = server;
  const key = await newKey();
  const change = { isChanged: false, isSwitchedOn: true };
  const row = { apiKeyId: key.id };
  expect(await keyAfterChange(database, row, { id: "member" }, change)).toEqual({});
  await database.apiKey.update({ where: { id: key.id }, data: { revokedAt: NOW } });
  expect(await keyAfterChange(database, row, { id: "member" }, change)).toEqual({ apiKeyId: null });
  expect(await keyAfterChange(database, row, { id: "member" }, { isChanged: true, isSwitchedOn: false })).toEqual({});
  expect(await keyAfterChange(database, row, { id: "member", keyId: "other" }, change)).toEqual({ apiKeyId: "other" });
});
