import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as activity } from "@/app/api/agent-activity/route";
import { GET as templates } from "@/app/api/agent-templates/route";
import { PUT as setAlias } from "@/app/api/agents/[agentId]/aliases/[name]/route";
import { PUT as saveDraft } from "@/app/api/agents/[agentId]/draft/route";
import { DELETE as remove } from "@/app/api/agents/[agentId]/route";
import { POST as create, GET as list } from "@/app/api/agents/route";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { listActivity } from "./list-activity";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const DAY_MS = 86_400_000;
const ADMIN = testViewer("admin", "admin");

describe("the agents of the admin's page", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    for (const id of ["unused", "coder"]) {
      await server.call(create, { as: "admin", body: { id, yaml: `name: ${id}\nmodel: demo:demo\n` } });
    }
    await server.database.agent.updateMany({ data: { createdAt: new Date(NOW - 20 * DAY_MS) } });
  });
  afterEach(() => server.close());

  interface Ran {
    readonly ownerId?: string;
    readonly daysAgo?: number;
    readonly status?: string;
    readonly costUsd?: number | null;
    readonly number?: number | null;
    readonly isReplay?: boolean;
  }

  let runs = 0;
  async function addRun({ ownerId = "member", daysAgo = 0, status = "completed", ...more }: Ran) {
    const { costUsd = 0.5, number = 1, isReplay = false } = more;
    const origin = isReplay ? "replay" : "chat";
    runs += 1;
    const id = `run_${runs}`;
    const { database } = server;
    const version =
      (await database.agentVersion.findFirst({ where: { agentId: "coder", number } })) ??
      (await database.agentVersion.create({
        data: { id: "av_draft", agentId: "coder", number: null, config: "{}", configHash: "h" },
      }));
    const at = new Date(NOW - daysAgo * DAY_MS);
    const shared = {
      ownerId,
      threadId: `th_${runs}`,
      agentId: "coder",
      agentVersionId: version.id,
      status,
      costUsd,
      origin,
    };
    await database.thread.create({ data: { id: `th_${runs}`, ownerId, agentId: "coder", clientId: id } });
    await database.run.create({
      data: {
        ...{ ...shared, id, traceId: `tr_${runs}`, input: "{}", assistantMessageId: id, createdAt: at, endedAt: at },
        replayId: isReplay ? "rpl_1" : null,
      },
    });
    const trace = { ...shared, id: `tr_${runs}`, runId: id, agentVersion: version.number ?? 0, startedAt: at };
    await database.trace.create({ data: trace });
  }

  test("of a replay only the cost counts, and it is no use of the agent", async () => {
    await addRun({ daysAgo: 1 });
    await addRun({ status: "failed", costUsd: 3, isReplay: true });
    const [coder] = await listActivity(server.database, ADMIN, NOW);
    expect(coder).toMatchObject({ runs: 1, failed: 0, costUsd: 3.5, lastFailure: null });
    expect(coder?.lastUsedAt).toBe("2026-11-22T12:00:00.000Z");
  });

  test("show two weeks of runs, failures and costs by day, without tests of drafts", async () => {
    await addRun({});
    await addRun({ status: "failed", costUsd: null });
    await addRun({ daysAgo: 13 });
    await addRun({ daysAgo: 14 });
    await addRun({ number: null, costUsd: 9 });
    const [coder, unused] = await listActivity(server.database, ADMIN, NOW);
    expect(coder).toMatchObject({ agentId: "coder", runs: 3, failed: 1, costUsd: 1, unknownCosts: 1 });
    expect(coder?.days.map(({ day }) => day).slice(-2)).toEqual(["2026-11-22", "2026-11-23"]);
    expect(coder?.days).toHaveLength(14);
    expect(coder?.days.at(0)).toEqual({ day: "2026-11-10", runs: 1, failed: 0, costUsd: 0.5, unknownCosts: 0 });
    expect(coder?.days.at(-1)).toMatchObject({ runs: 2, failed: 1 });
    expect(coder?.lastUsedAt).toBe("2026-11-23T12:00:00.000Z");
    expect(unused).toMatchObject({ runs: 0, lastUsedAt: null });
  });

  test("count runs in which another agent called them, but not those that it made up itself", async () => {
    await addRun({ daysAgo: 3 });
    await addRun({ daysAgo: 2 });
    await addRun({ daysAgo: 1, status: "failed" });
    const { database } = server;
    await database.run.update({ where: { id: `run_${runs - 1}` }, data: { depth: 1 } });
    await database.run.update({ where: { id: `run_${runs}` }, data: { depth: 2, errorCode: "model_failed" } });
    await database.trace.deleteMany({ where: { id: { in: [`tr_${runs - 1}`, `tr_${runs}`] } } });
    const [coder] = await listActivity(server.database, ADMIN, NOW);
    expect(coder).toMatchObject({ runs: 3, failed: 1, costUsd: 1.5, lastUsedAt: "2026-11-22T12:00:00.000Z" });
    expect(coder?.lastFailure).toMatchObject({ code: "model_failed" });
    await database.run.updateMany({ where: { depth: { gt: 0 } }, data: { isInline: true } });
    expect((await listActivity(server.database, ADMIN, NOW))[0]).toMatchObject({ runs: 1, lastFailure: null });
  });

  test("say why the latest run failed, until one that does not", async () => {
    await addRun({ status: "failed", daysAgo: 2 });
    const latest = { errorCode: "model_failed" };
    await server.database.run.updateMany({ where: { agentId: "coder" }, data: latest });
    await server.database.trace.updateMany({ data: { error: "The key was refused." } });
    const read = async () => (await listActivity(server.database, ADMIN, NOW)).map(({ lastFailure }) => lastFailure);
    expect(await read()).toEqual([{ code: "model_failed", message: "The key was refused." }, null]);
    await addRun({ daysAgo: 1 });
    expect(await read()).toEqual([null, null]);
  });

  test("show a member only what is the member's own", async () => {
    await addRun({ ownerId: "admin" });
    await addRun({ daysAgo: 2 });
    const member = testViewer("member", "member");
    const [coder] = await listActivity(server.database, member, NOW);
    expect(coder).toMatchObject({ runs: 1, lastUsedAt: "2026-11-21T12:00:00.000Z", draft: null });
  });

  test("show names of versions, and admins whose draft there is", async () => {
    const params = { agentId: "coder" };
    await server.call(setAlias, {
      as: "admin",
      method: "PUT",
      params: { ...params, name: "prod" },
      body: { version: 1 },
    });
    await server.call(saveDraft, { as: "admin", method: "PUT", params, body: { yaml: "name: B\n", revision: 0 } });
    const read = async (as: "admin" | "member") => {
      const { agents } = await (await server.call(activity, { as })).json();
      return agents.find(({ agentId }: { agentId: string }) => agentId === "coder");
    };
    expect(await read("admin")).toMatchObject({
      aliases: [{ name: "prod", version: 1 }],
      // Its name differs and its model is gone.
      draft: { revision: 1, baseVersion: 1, changes: 2, isBehind: false, updatedByName: "The admin" },
    });
    const body = { yaml: "name: [", revision: 1 };
    await server.call(saveDraft, { as: "admin", method: "PUT", params, body });
    expect(await read("admin")).toMatchObject({ draft: { revision: 2, changes: null } });
    expect(await read("member")).toMatchObject({ aliases: [{ name: "prod" }], draft: null });
  });

  test("are archived by deleting, and admins can list those", async () => {
    await server.call(remove, { as: "admin", method: "DELETE", params: { agentId: "coder" } });
    const ids = async (path: string) =>
      (await (await server.call(list, { as: "admin", path })).json()).agents.map(({ id }: { id: string }) => id);
    expect([await ids("/"), await ids("/?archived=true")]).toEqual([["unused"], ["coder"]]);
    expect((await server.call(list, { as: "member", path: "/?archived=true" })).status).toBe(403);
    expect((await listActivity(server.database, ADMIN, NOW)).map(({ agentId }) => agentId)).toEqual(["unused"]);
  });

  test("begin from a template that is a working agent", async () => {
    const { templates: found } = await (await server.call(templates, { as: "admin" })).json();
    expect(found.map(({ id }: { id: string }) => id)).toEqual(["assistant", "coder", "researcher", "data-analyst"]);
    for (const { id, yaml } of found) {
      expect((await server.call(create, { as: "admin", body: { id: `my-${id}`, yaml } })).status).toBe(201);
    }
  });
});
