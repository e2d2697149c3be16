import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as bundle } from "@/app/api/traces/[traceId]/bundle/route";
import { GET as exported } from "@/app/api/traces/[traceId]/export/route";
import { GET as read } from "@/app/api/traces/[traceId]/route";
import { GET as text } from "@/app/api/traces/[traceId]/text/route";
import { GET as compared } from "@/app/api/traces/compare/route";
import { POST as parse } from "@/app/api/traces/parse/route";
import { GET as list } from "@/app/api/traces/route";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";
import {
  bundleTrace,
  compareTraces,
  exportTrace,
  findTraces,
  listTraces,
  readTrace,
  showTrace,
  type TraceChoice,
} from "./trace-commands";

const ESC = "\u001b";
const plan = { name: "write_todos", args: { todos: [{ id: "1", title: "One", status: "done" }] } };
const ALL: TraceChoice = {
  agentId: undefined,
  status: undefined,
  q: undefined,
  since: undefined,
  until: undefined,
  limit: undefined,
};

let server: RunServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-traces-"));
  server = await startRunServer(
    scriptedTurns({
      "Plan it": [{ calls: [plan] }, { text: "Planned." }],
      [`Fail ${ESC}[2J`]: [{ fault: { status: 401 } }],
    }),
  );
  for (const content of ["Plan it", `Fail ${ESC}[2J`]) {
    const body = { messages: [{ role: "user", content }] };
    await server.call(invoke, { as: "member", params: { id: "coder" }, body });
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

function callAs(as: "member" | "admin" | "viewer") {
  return async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const { pathname } = new URL(url, "http://127.0.0.1");
    const [, traceId = "", rest = ""] = /^\/api\/traces\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    const ofAll = { "/api/traces": list, "/api/traces/parse": parse, "/api/traces/compare": compared };
    const ofOne: Readonly<Record<string, typeof read>> = { export: exported, text, bundle };
    const route = ofAll[pathname as keyof typeof ofAll] ?? ofOne[rest] ?? read;
    const given = body === undefined ? {} : { body: body as object };
    const reply = await server.call(route, { as, method, path: url, params: { traceId }, ...given });
    if (reply.headers.get("content-type")?.match(/markdown|html/)) return reply.text();
    const answer = await reply.json();
    if (!reply.ok) throw new Error(answer.error.message);
    return answer;
  };
}
const call = callAs("member");

test("runs are listed with their end, one on a line, without what a terminal would obey", async () => {
  const { lines } = await listTraces(call, ALL, false);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}failed .+ coder .+Fail/);
  expect(lines[1]).toMatch(/completed .+Plan it$/);
  expect(lines.join("")).not.toContain(ESC);
});

test("filters are those of the page", async () => {
  const failed = await listTraces(call, { ...ALL, status: "failed" }, false);
  expect(failed.lines).toHaveLength(1);
  expect((await listTraces(call, { ...ALL, until: "2020-01-01T00:00:00.000Z" }, false)).lines).toEqual([
    "No run is like that.",
  ]);
  const { lines } = await listTraces(call, { ...ALL, limit: "1" }, false);
  expect(lines.at(-1)).toMatch(/^There are more/);
  await expect(listTraces(call, { ...ALL, limit: "many" }, false)).rejects.toThrow();
});

test("a run is shown as a tree, by its own id or its trace's", async () => {
  const { lines } = await listTraces(call, { ...ALL, status: "completed" }, true);
  const { traces } = JSON.parse(lines.join("\n"));
  const shown = (await showTrace(call, traces[0].id, false)).lines;
  expect(shown[0]).toBe("Plan it");
  expect(shown.join("\n")).toMatch(/\nrun Coder .+\n {2}model .+\n {2}tool write_todos {2}\d/);
  expect((await showTrace(call, traces[0].runId, false)).lines).toEqual(shown);
});

test("an export is what the page exports, and overwrites nothing", async () => {
  const { traces } = JSON.parse((await listTraces(call, ALL, true)).lines.join("\n"));
  const file = path.join(folder, "trace.json");
  expect((await exportTrace(call, traces[1].id, file)).lines).toEqual([`Wrote ${file}`]);
  expect(JSON.parse(readFileSync(file, "utf8")).trace.id).toBe(traces[1].id);
  await expect(exportTrace(call, traces[1].id, file)).rejects.toThrow("EEXIST");
  const { lines } = await exportTrace(call, traces[1].id, undefined);
  expect(JSON.parse(lines.join("\n")).trace).toEqual(JSON.parse(readFileSync(file, "utf8")).trace);
});

test("nobody sees more than their key does", async () => {
  const { traces } = JSON.parse((await listTraces(call, ALL, true)).lines.join("\n"));
  const viewer = callAs("viewer");
  expect((await listTraces(viewer, ALL, false)).lines).toEqual(["No run is like that."]);
  await expect(showTrace(viewer, traces[0].id, false)).rejects.toThrow("There is no such trace.");
  const file = path.join(folder, "foreign.json");
  await expect(exportTrace(viewer, traces[0].id, file)).rejects.toThrow("There is no such trace.");
  expect(existsSync(file)).toBe(false);
});

test("runs are found by what words mean, and what was understood is said", async () => {
  const { lines } = await findTraces(call, "failed runs of coder today", false);
  expect(lines[0]).toMatch(/^Runs with status failed, agentId coder, since \d{4}/);
  expect(lines.slice(1)).toHaveLength(1);
  expect((await findTraces(call, "Planned", false)).lines[0]).toBe("Runs with q Planned:");
  await expect(findTraces(callAs("viewer"), "failed", false)).rejects.toThrow('the scope "chat"');
});

test("a run is read as one text, and two are compared step by step", async () => {
  const found = await listTraces(call, ALL, true);
  const [failed, planned] = JSON.parse(found.lines[0] ?? "").traces.map(({ id }: { id: string }) => id);
  const read = await readTrace(call, planned);
  expect(read.lines.join("\n")).toMatch(/Plan it[\s\S]*write_todos[\s\S]*Planned\./);
  expect((await readTrace(call, failed)).lines.join("")).not.toContain(ESC);
  const { lines } = await compareTraces(call, [planned, failed], false);
  expect(lines[0]).toMatch(/^A {2}completed/);
  expect(lines[1]).toMatch(/^B {2}failed/);
  expect(lines.join("\n")).toMatch(/≠ message\nA step 1: only in A\n {4}A write_todos/);
});

test("a run is written as one HTML file, and no file is overwritten", async () => {
  const found = await listTraces(call, ALL, true);
  const { id } = JSON.parse(found.lines[0] ?? "").traces[1];
  const file = path.join(folder, "run.html");
  expect((await bundleTrace(call, id, file)).lines).toEqual([`Wrote ${file}`]);
  expect(readFileSync(file, "utf8")).toContain("Planned.");
  await expect(bundleTrace(call, id, file)).rejects.toThrow("EEXIST");
});
