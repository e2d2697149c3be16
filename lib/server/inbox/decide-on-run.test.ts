import { describe, expect, test } from "vitest";
import { startRun } from "@/lib/server/engine/accept";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { addAgent, addThread, eventsToEnd, reached, testHost } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { decideOnRun } from "./decide-on-run";
import { listGrants } from "./grants";
import { listApprovals } from "./list-approvals";

describe("decisions", () => {
  test("accepts one of three simultaneous decisions, and the run continues with it", { timeout: 60_000 }, async () => {
    const server = await startTestServer();
    const { database } = server;
    await addAgent(database, "sender", { name: "Sender", model: "scripted:approval" });
    await addThread(database, "th1", { ownerId: "member", agentId: "sender" });
    const parts = approvalParts(`${server.dataDirectory}/effects`, () => undefined);
    const host = testHost(database, parts);
    await host.start();
    const messages = [{ role: "user" as const, content: "Send it" }];
    const { runId } = await startRun(database, { ownerId: "member", threadId: "th1", agentId: "sender", messages });
    await reached(
      async () =>
        (await listApprovals(server.database, { id: "member", isAdmin: false }, { limit: 5 })).approvals.length === 1,
    );
    const allow = { tool_call_id: "call_1", decision: "allow", scope: "thread" } as const;
    const decider = { id: "member", name: "Mia", via: "api" } as const;
    const all = await Promise.allSettled(
      [1, 2, 3].map(() => decideOnRun(server.services, { runId, decider, decisions: [allow] })),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    const last = (await eventsToEnd(database, runId)).at(-1);
    expect(last?.event).toMatchObject({ type: "run.completed", status: "completed" });
    expect((await listGrants(server.database, { id: "member", scopes: [] }, { limit: 5 })).grants).toMatchObject([
      { tool: "send", args: { to: "ada" } },
    ]);
    await host.stop();
    await server.close();
  });
});
