import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as tryMaskingRoute } from "@/app/api/settings/masking/try/route";
import { POST as tryRetentionRoute } from "@/app/api/settings/retention/try/route";
import { PATCH as patchRoute, GET as settingsRoute } from "@/app/api/settings/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { GET as threadRoute } from "@/app/api/threads/[threadId]/route";
import { POST as openRoute } from "@/app/api/threads/route";
import { GET as exportRoute } from "@/app/api/traces/[traceId]/export/route";
import { GET as traceRoute } from "@/app/api/traces/[traceId]/route";
import { GET as spanRoute } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { GET as tracesRoute } from "@/app/api/traces/route";
import { Settings } from "@/lib/schema/settings/settings";
import { receiveNotification } from "@/lib/server/engine/log/signals";
import { createLogger, logger } from "@/lib/server/platform/logger";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { retentionInForce } from "./retention";
import { startSettings, whenSettingsAreLoaded } from "./settings";

let server: RunServer;
beforeAll(async () => {
  server = await startRunServer([{ text: "Your number is 555-0199." }], {
    RINGMASTER_LOG_LEVEL: "",
    RINGMASTER_RETENTION: "audit=2y",
  });
  await startSettings(server.services);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.setting.deleteMany({ where: { key: { startsWith: "settings:" } } });
  receiveNotification({ type: "settings" });
  await whenSettingsAreLoaded();
});

const patch = (body: unknown, as: "admin" | "member" = "admin") =>
  server.call(patchRoute, { as, method: "PATCH", body });
const read = async () => Settings.parse(await (await server.call(settingsRoute, { as: "admin" })).json());

describe("changing", () => {
  test("keeps what the body leaves out, and writes both sides into the audit log", async () => {
    expect((await patch({ retention: { traces: "30d" }, branding: { name: "Acme agents" } })).status).toBe(200);
    const { retention, branding } = await read();
    expect(retention).toMatchObject({ traces: "30d", events: "1d", deletedThreads: "30d" });
    expect(branding).toEqual({ name: "Acme agents", signInText: "" });
    const entry = await server.database.auditEntry.findFirst({ where: { target: "settings:retention" } });
    expect([entry?.actorId, JSON.parse(entry?.before ?? ""), JSON.parse(entry?.after ?? "")]).toEqual([
      "admin",
      { traces: "90d" },
      { traces: "30d" },
    ]);
  });

  test("writes nothing when nothing is different", async () => {
    const count = () => server.database.auditEntry.count();
    const before = await count();
    expect((await patch({ retention: { traces: "90d" } })).status).toBe(200);
    expect(await count()).toBe(before);
  });

  test.each([
    [{ retention: { traces: "soon" } }, "retention.traces"],
    [{ retention: { traces: "0d" } }, "retention.traces"],
    [{ colour: "red" }, ""],
    [{ branding: { name: " " } }, "branding.name"],
    [{ masking: { rules: [{ name: "a", pattern: "(", replacement: "" }] } }, "masking.rules.0.pattern"],
    [{ masking: { rules: [{ name: "a", pattern: "a*", replacement: "" }] } }, "masking.rules.0.pattern"],
    [{ masking: { rules: [{ name: "a", pattern: "a", replacement: "$1" }] } }, "masking.rules.0.replacement"],
  ])("refuses %j and names the field", async (body, path) => {
    const reply = await patch(body);
    expect(reply.status).toBe(400);
    const { error } = await reply.json();
    if (path !== "") expect(error.details.map((problem: { path: string }) => problem.path)).toContain(path);
  });

  test("is refused for what the environment decides, with the variable's name", async () => {
    expect((await read()).fixed).toEqual({ "retention.audit": "RINGMASTER_RETENTION" });
    const reply = await patch({ retention: { audit: "30d" } });
    expect([reply.status, (await reply.json()).error.message]).toEqual([
      409,
      expect.stringContaining("RINGMASTER_RETENTION decides retention.audit"),
    ]);
    expect((await read()).retention.audit).toBe("730d");
  });

  test("is for administrators", async () => {
    const key = await server.addKey("member", ["chat"]);
    expect((await server.call(patchRoute, { key, method: "PATCH", body: { logLevel: "debug" } })).status).toBe(403);
  });

  test("loses nobody's change of one section: each begins from the one before it, or is told", async () => {
    const days = Array.from({ length: 8 }, (_, index) => index + 10);
    const replies = await Promise.all(days.map((count) => patch({ retention: { traces: `${count}d` } })));
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const target = "settings:retention";
    const entries = await server.database.auditEntry.findMany({
      where: { target, actorId: "admin" },
      orderBy: { id: "desc" },
    });
    const steps = new Map(
      entries
        .slice(0, replies.filter(({ status }) => status === 200).length)
        .map(({ before, after }) => [JSON.parse(before ?? "").traces, JSON.parse(after ?? "").traces]),
    );
    let value = "90d";
    for (const _ of steps) value = steps.get(value) ?? "lost";
    expect(value).toBe((await read()).retention.traces);
    for (const reply of replies.filter(({ status }) => status === 409)) {
      expect((await reply.json()).error.details.current.retention.traces).toMatch(/^1\dd$/);
    }
  });
});

test("a folder for backups that the server can't write is refused beside its field", async () => {
  const file = path.join(server.dataDirectory, "a-file");
  writeFileSync(file, "");
  const reply = await patch({ backup: { folder: path.join(file, "backups") } });
  expect(reply.status).toBe(400);
  expect((await reply.json()).error.details).toEqual([
    { path: "backup.folder", message: expect.stringMatching(/can't be made or written by the server \(ENOTDIR\)/) },
  ]);
});

test("folders above the one for backups are made; a file system that has no place for them says so at once", async () => {
  const folder = path.join(server.dataDirectory, "above", "backups");
  expect((await patch({ backup: { folder } })).status).toBe(200);
  expect(statSync(folder).isDirectory()).toBe(true);
  const reply = await patch({ backup: { folder: "/proc/nowhere/backups" } });
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, "backup.folder"]);
  await patch({ backup: { folder: null } });
});

test("another level holds for the log at once, and in a process that only hears of it", async () => {
  await patch({ logLevel: "debug" });
  expect(logger().level).toBe("debug");
  logger().level = "info";
  receiveNotification({ type: "settings" });
  await whenSettingsAreLoaded();
  expect(logger().level).toBe("debug");
});

test("an agent's own times go before those of all", async () => {
  await patch({ retention: { traces: null, agents: { coder: { traces: "5d" } } } });
  expect(retentionInForce()).toMatchObject({
    kinds: { traces: null },
    agents: { traces: { coder: 5 * 86_400_000 }, events: {} },
  });
});

describe("masking", () => {
  const RULE = { name: "phone", pattern: "\\b555-(\\d{4})\\b", replacement: "[phone …$1]" };

  test("tries rules on a text and stores nothing", async () => {
    const body = { text: "Call 555-0199 or 555-0123.", rules: [RULE] };
    const tried = await (await server.call(tryMaskingRoute, { as: "admin", body })).json();
    expect(tried).toEqual({ text: "Call [phone …0199] or [phone …0123].", hits: [{ name: "phone", count: 2 }] });
    expect((await read()).masking.rules).toEqual([]);
  });

  test("covers lists, traces, spans and exports; thread and model keep the original", async () => {
    await patch({ masking: { rules: [RULE] } });
    const as = "admin" as const;
    const { id } = await (await server.call(openRoute, { as, body: { agentId: "plain" } })).json();
    const params = { threadId: id };
    const sent = await server.call(sendRoute, { as, params, body: { content: "Is 555-0101 mine?" } });
    const { runId } = await sent.json();
    await expect
      .poll(async () => (await server.database.run.findUnique({ where: { id: runId } }))?.endedAt, { timeout: 10_000 })
      .toBeTruthy();
    const text = async (reply: Promise<Response>) => JSON.stringify(await (await reply).json());
    const trace = await (await server.call(traceRoute, { as, params: { traceId: runId } })).json();
    const call = trace.spans.find((span: { type: string }) => span.type === "llm");
    const address = { traceId: trace.id, spanId: call.id };
    const masked = [
      JSON.stringify(trace),
      await text(server.call(tracesRoute, { as })),
      await text(server.call(spanRoute, { as, params: address })),
      await text(server.call(exportRoute, { as, params: { traceId: trace.id } })),
    ];
    for (const shown of masked) expect(shown).not.toMatch(/555-0/);
    expect(masked[2]).toContain("[phone …0199]");
    expect(masked[3]).toContain("[phone …0101]");
    const thread = await text(server.call(threadRoute, { as, params }));
    expect(thread).toContain("555-0199");
    expect(JSON.stringify(server.provider.requests.at(-1))).toContain("555-0101");
  });

  test("covers the log, whose lines stay JSON", async () => {
    await patch({ masking: { rules: [RULE, { name: "ends", pattern: "reason.*$", replacement: 'x"y' }] } });
    const lines: string[] = [];
    createLogger("info", { write: (line) => void lines.push(line) }).info({ caller: "555-0101" }, "reason: 555-0102");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", caller: "[phone …0101]", msg: 'x"y' });
  });
});

test("says how many traces a shorter time would take along", async () => {
  const DAY_MS = 86_400_000;
  const startedAt = new Date(Date.now() - 20 * DAY_MS);
  const common = {
    ownerId: "admin",
    threadId: "t",
    agentVersionId: "v",
    agentVersion: 1,
    status: "completed",
    startedAt,
  };
  await server.database.trace.createMany({
    data: ["a", "b", "c"].map((id) => ({ ...common, id: `old-${id}`, runId: `gone-${id}`, agentId: id })),
  });
  const tried = async (retention: unknown) =>
    (await server.call(tryRetentionRoute, { as: "admin", body: { retention } })).json();
  expect(await tried({ traces: "10d" })).toMatchObject({ now: { traces: 0 }, proposed: { traces: 3 } });
  expect(await tried({ traces: "10d", agents: { a: { traces: null } } })).toMatchObject({ proposed: { traces: 2 } });
  expect(await tried({ agents: { a: { traces: "1d" } } })).toMatchObject({ proposed: { traces: 1 } });
});
