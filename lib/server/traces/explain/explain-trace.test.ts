import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as explain } from "@/app/api/traces/[traceId]/explain/route";
import type { TraceDigest } from "@/lib/schema/traces/digest";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { setMasks } from "@/lib/server/platform/masking";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { addSpan, addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  await addTrace(server, "a", { minute: 30 });
  await addSpan(server, "a", { id: "root", type: "agent" });
  await addSpan(server, "a", { id: "c1", type: "tool" }, { tool_name: "fetch", tool_args: '{"url":"https://zwei"}' });
  await server.database.span.update({ where: { id: "c1" }, data: { status: "failed", error: "zwei is away" } });
});
afterEach(async () => {
  setMasks([]);
  await server.close();
});

const ask = (as: Role, traceId = "tr_a") => server.call(explain, { as, params: { traceId } });
const linesFor = async (as: Role): Promise<TraceDigest["lines"]> => {
  const reply = await ask(as);
  expect(reply.status).toBe(200);
  return (await reply.json()).lines;
};

test("a run is explained to its owner and to administrators, masked, and to nobody else", async () => {
  const line = { kind: "failed", spanId: "c1", tool: "fetch", times: 1 };
  expect(await linesFor("member")).toEqual([{ ...line, gist: "https://zwei", error: "zwei is away" }]);
  setMasks([(text) => text.replaceAll("zwei", "#")]);
  expect(await linesFor("admin")).toEqual([{ ...line, gist: "https://#", error: "# is away" }]);
  expect(await server.database.auditEntry.count({ where: { action: "trace.viewed" } })).toBe(1);
  expect((await ask("viewer")).status).toBe(404);
  expect((await ask("member", "tr_none")).status).toBe(404);
});

test("a key that is limited to other agents finds no run to explain", async () => {
  const key = await server.addKey("admin", ["read"]);
  await server.database.apiKey.update({ where: { sha256: hashKey(key) }, data: { agents: '["other"]' } });
  expect((await server.call(explain, { key, params: { traceId: "tr_a" } })).status).toBe(404);
});

test("it is compared with the last completed runs of the version before that its reader may see", async () => {
  const others = async (owner: string, prefix: string) => {
    for (let index = 0; index < 5; index += 1) await addTrace(server, `${prefix}${index}`, { owner, minute: index });
  };
  await others("member", "m");
  await server.database.trace.updateMany({ where: { id: { not: "tr_a" } }, data: { agentVersion: 2 } });
  await server.database.trace.update({ where: { id: "tr_a" }, data: { agentVersion: 4, steps: 9 } });
  const versionLines = async (as: Role) => (await linesFor(as)).filter(({ kind }) => kind === "version");
  const line = { kind: "version", spanId: "root", measure: "steps", value: 9, usual: 2, version: 2, runs: 5 };
  expect(await versionLines("member")).toEqual([line]);
  await others("admin", "n");
  const later = { where: { ownerId: "admin" }, data: { agentVersion: 3, steps: 3 } };
  await server.database.trace.updateMany(later);
  expect(await versionLines("member")).toEqual([line]);
  expect(await versionLines("admin")).toEqual([{ ...line, usual: 3, version: 3 }]);
  await server.database.trace.updateMany({ ...later, data: { origin: "replay" } });
  expect(await versionLines("admin")).toEqual([line]);
  await server.database.trace.update({ where: { id: "tr_m0" }, data: { status: "failed" } });
  expect(await versionLines("member")).toEqual([]);
});
