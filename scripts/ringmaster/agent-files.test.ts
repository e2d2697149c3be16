import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as promptFiles, PUT as savePromptFiles } from "@/app/api/agents/[agentId]/prompt-files/route";
import { GET as detail, PATCH as save } from "@/app/api/agents/[agentId]/route";
import { POST as importAgents } from "@/app/api/agents/import/route";
import { POST as create, GET as list } from "@/app/api/agents/route";
import type { Route } from "@/lib/server/http/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { type CallServer, pullAgents, pushAgents } from "./agent-files";

const YAML = "# Ours.\nname: Coder   # who\nmodel: demo:demo\ntools: [ calculate ]";
const params = { agentId: "coder" };

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer();
  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-agents-"));
  await server.call(create, { as: "admin", body: { id: "coder", yaml: YAML } });
  const files = { "SOUL.md": "Calm." };
  await server.call(savePromptFiles, { as: "admin", method: "PUT", params, body: { files } });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const ROUTES: [pattern: RegExp, routes: Record<string, Route>][] = [
  [/^\/api\/agents$/, { GET: list }],
  [/^\/api\/agents\/import$/, { POST: importAgents }],
  [/^\/api\/agents\/([^/]+)\/prompt-files$/, { GET: promptFiles }],
  [/^\/api\/agents\/([^/]+)$/, { GET: detail }],
];

const call: CallServer = async (method, url, body) => {
  const found = ROUTES.find(([pattern]) => pattern.test(url));
  const route = found?.[1][method];
  if (!found || !route) throw new Error(`the test has no route ${method} ${url}`);
  const agentId = found[0].exec(url)?.[1] ?? "";
  const reply = await server.call(route, { as: "admin", method, params: { agentId }, body });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error.message);
  return answer;
};

const pull = (force = false) => pullAgents(call, { folder, ids: [], force });
const push = (dryRun = false) => pushAgents(call, { folder, ids: [], dryRun });
const file = (name: string) => path.join(folder, name);
const read = (name: string) => readFileSync(file(name), "utf8");
const published = async () => (await server.call(detail, { as: "admin", params })).json();

test("agents become files as they were written, and pushing those changes nothing", async () => {
  expect(await pull()).toEqual({ lines: ["coder  written  v2"], ok: true });
  expect([read("coder.yaml"), read("coder/SOUL.md")]).toEqual([YAML, "Calm.\n"]);
  expect(await push()).toEqual({ lines: ["coder  unchanged"], ok: true });
  expect(await pull()).toEqual({ lines: ["coder  unchanged  v2"], ok: true });
});

test("a changed file is published with its prompt files as one version, a new one makes an agent", async () => {
  await pull();
  writeFileSync(file("coder.yaml"), YAML.replace("demo:demo", "demo:other"));
  writeFileSync(file("coder/USER.md"), "Ada\n");
  writeFileSync(file("helper.yaml"), "name: Helper # new\n");
  expect((await push(true)).lines).toEqual(["coder  would be updated", "helper  would be created"]);
  expect((await published()).version).toBe(2);
  expect(await push()).toEqual({ lines: ["coder  updated  v3", "helper  created  v1"], ok: true });
  expect(await published()).toMatchObject({
    version: 3,
    yaml: expect.stringContaining("demo:other\ntools: [ calculate ]"),
  });
  expect(await (await server.call(promptFiles, { as: "admin", params })).json()).toMatchObject({
    files: [{ name: "SOUL.md" }, { name: "USER.md", content: "Ada" }],
  });
  expect(await push()).toEqual({ lines: ["coder  unchanged", "helper  unchanged"], ok: true });
});

test("every mistake is told with its file and line, and nothing is published", async () => {
  await pull();
  writeFileSync(file("coder.yaml"), "name: Coder\nmax_token: 5\ntemperature: 9\n");
  writeFileSync(file("other.yaml"), "name: @x\n");
  const { lines, ok } = await push();
  expect(ok).toBe(false);
  expect(lines.map((line) => line.split("  ")[0])).toEqual(["coder.yaml:2", "coder.yaml:3", "other.yaml:1"]);
  expect((await published()).version).toBe(2);
});

test("a version that was published after the pull is not overwritten", async () => {
  await pull();
  await server.call(save, { as: "admin", method: "PATCH", params, body: { yaml: "name: Theirs\n" } });
  writeFileSync(file("coder.yaml"), "name: Mine\n");
  const { lines, ok } = await push();
  expect([ok, lines[0]]).toEqual([false, expect.stringContaining("Version 3")]);
  expect((await pull()).lines).toEqual([expect.stringContaining("changed here")]);
  expect(read("coder.yaml")).toBe("name: Mine\n");
  expect((await pull(true)).ok).toBe(true);
  expect(read("coder.yaml")).toBe("name: Theirs\n");
});

test("prompt files that are gone on one side go on the other", async () => {
  await pull();
  rmSync(file("coder/SOUL.md"));
  expect((await push()).lines).toEqual(["coder  updated  v3"]);
  const again = { files: { "SOUL.md": "Back.", "USER.md": "Ada" } };
  await server.call(savePromptFiles, { as: "admin", method: "PUT", params, body: again });
  await pull();
  await server.call(savePromptFiles, { as: "admin", method: "PUT", params, body: { files: { "SOUL.md": null } } });
  await pull();
  expect([existsSync(file("coder/SOUL.md")), existsSync(file("coder/USER.md"))]).toEqual([false, true]);
});

test("a folder or an agent that is not there is said", async () => {
  expect((await push()).lines).toEqual([expect.stringContaining("Pull some first")]);
  mkdirSync(folder, { recursive: true });
  const missing = { folder, ids: ["nobody"], force: false };
  expect(await pullAgents(call, missing)).toEqual({ lines: ["nobody  there is no such agent"], ok: false });
  expect((await pushAgents(call, { folder, ids: ["nobody"], dryRun: false })).ok).toBe(false);
});

test("a pull that is cut off still knows which versions it wrote", async () => {
  await server.call(create, { as: "admin", body: { id: "writer", yaml: "name: Writer\nmodel: demo:demo" } });
  const cutOff: CallServer = (method, url, body) =>
    url.startsWith("/api/agents/writer") ? Promise.reject(new Error("no server answers")) : call(method, url, body);
  await expect(pullAgents(cutOff, { folder, ids: [], force: false })).rejects.toThrow("no server answers");
  await server.call(save, {
    as: "admin",
    method: "PATCH",
    params,
    body: { config: { name: "Coder", model: "demo:demo" } },
  });
  expect((await pull()).lines).toContain("coder  written  v3");
});
