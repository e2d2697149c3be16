import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { GET as getAgent } from "@/app/api/agents/[agentId]/route";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import type { SandboxProbe } from "@/lib/workspaces/sandbox/probe-sandbox";
import { seedAgents } from "./seed-agents";

const isPostgres = inject("testDatabase") === "postgresql";
const NO_SANDBOX: SandboxProbe = {
  available: false,
  reason: "bubblewrap is not installed.",
  remedy: "Install it.",
  mode: null,
  ripgrep: false,
};

describe("seeding", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => {
    forgetProcessState("sandbox-probe");
    return server.close();
  });

  const ids = async () => (await server.database.agent.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);

  test("a start cut off before its agents were created leaves them to the next one", async () => {
    forgetProcessState("sandbox-probe");
    const failure = Promise.reject(new Error("The process ends here."));
    // The promise is awaited only after queries; by then Node would have reported an unhandled rejection.
    failure.catch(() => undefined);
    void processState("sandbox-probe", () => failure);
    await expect(seedAgents(server.services)).rejects.toThrow("ends here");
    forgetProcessState("sandbox-probe");
    await seedAgents(server.services);
    expect(await ids()).toEqual(["default", "researcher"]);
  });

  test("a start cut off between two agents leaves the second to the next one", async () => {
    await seedAgents(server.services);
    await server.database.agent.delete({ where: { id: "researcher" } });
    await server.database.setting.update({ where: { key: "agents_seeded" }, data: { value: "begun" } });
    await seedAgents(server.services);
    expect(await ids()).toEqual(["default", "researcher"]);
  });

  test("the seeded agents compact by count only above a quarter of their window", async () => {
    await seedAgents(server.services);
    for (const id of await ids()) {
      const reply = await server.call(getAgent, { as: "admin", params: { agentId: id } });
      expect((await reply.json()).config.compaction).toEqual({ min_ratio: 0.25 });
    }
  });

  describe("on a machine without a sandbox", () => {
    const probed = (probe: SandboxProbe) => {
      forgetProcessState("sandbox-probe");
      void processState("sandbox-probe", () => Promise.resolve(probe));
    };
    const agent = async () => (await server.call(getAgent, { as: "admin", params: { agentId: "default" } })).json();

    test.skipIf(isPostgres)("the default agent of one process gets commands once a sandbox works", async () => {
      probed(NO_SANDBOX);
      await seedAgents(server.services);
      expect(await agent()).toMatchObject({ sandbox: { available: false, remedy: NO_SANDBOX.remedy } });
      expect((await agent()).tools).not.toContain("execute");
      probed({ ...NO_SANDBOX, available: true, mode: "bubblewrap" });
      expect((await agent()).tools).toContain("execute");
    });

    test.runIf(isPostgres)(
      "the default agent of several processes has its files where each of them can read them",
      async () => {
        probed(NO_SANDBOX);
        await seedAgents(server.services);
        expect((await agent()).config.backend.type).toBe("state");
      },
    );
  });

  test("two processes that start at once both succeed", async () => {
    await Promise.all([seedAgents(server.services), seedAgents(server.services)]);
    expect(await ids()).toEqual(["default", "researcher"]);
  });

  test("a database that already has agents gets none", async () => {
    await server.database.agent.create({ data: { id: "mine" } });
    await seedAgents(server.services);
    expect(await ids()).toEqual(["mine"]);
  });
});
