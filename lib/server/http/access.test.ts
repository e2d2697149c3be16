import { afterAll, beforeAll, expect, test } from "vitest";
import * as unknownAgent from "@/app/agents/[...path]/route";
import * as unknown from "@/app/api/[...path]/route";
import { GET as openApi } from "@/app/api/openapi.json/route";
import { ROUTE_MODULES } from "@/app/api/openapi.json/route-modules";
import * as unknownOpenAi from "@/app/v1/[...path]/route";
import type { Role, Scope } from "@/lib/schema/users/user";
import { definitionsOf } from "@/lib/server/http/openapi/build-document";
import { roleScopes } from "@/lib/server/users/session";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { ROUTE_ACCESS } from "./access";
import type { Route } from "./route";

const MODULES = { ...ROUTE_MODULES, "/api/openapi.json": { GET: openApi } };
const ROUTES = Object.entries(MODULES).flatMap(([url, module]) =>
  definitionsOf(module).map(([method, definition]) => ({
    name: `${method} ${url}`,
    method,
    definition,
    route: (module as Record<string, Route>)[method] as Route,
  })),
);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a path that is nothing is a 404 in its API's shape", async () => {
  const [ours, openAi] = [await server.call(unknown.GET, { path: "/api/x" }), await server.call(unknownOpenAi.GET)];
  expect([ours.status, (await ours.json()).error.code]).toEqual([404, "not_found"]);
  expect([openAi.status, (await openAi.json()).error.type]).toEqual([404, "invalid_request_error"]);
});

test.each([
  ["no JSON", "{"],
  ["fields", { any: 1 }],
  ["a list", [1]],
  ["20 KB, of a caller that is not signed in", "x".repeat(20_000)],
  ["2 MB", "x".repeat(2_000_000)],
])("a path that is nothing is a 404 whatever its body is: %s", async (_, body) => {
  for (const module of [unknown, unknownAgent, unknownOpenAi]) {
    for (const as of ["member", undefined] as const) {
      const headers: Record<string, string> = as ? {} : { origin: "http://127.0.0.1:3000" };
      expect((await server.call(module.POST, { path: "/api/x", body, as, headers })).status).toBe(404);
    }
  }
});

test("every exported method goes through defineRoute", () => {
  const bare = Object.entries(MODULES).flatMap(([url, module]) => {
    const defined = definitionsOf(module).map(([method]) => method);
    const exported = Object.keys(module).filter((name) => /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(name));
    return exported.filter((name) => !defined.includes(name)).map((name) => `${name} ${url}`);
  });
  expect(bare).toEqual([]);
});

test("the access table says of every route what the route says, and of nothing else", () => {
  const declared = Object.fromEntries(ROUTES.map(({ name, definition }) => [name, definition.access]));
  expect(ROUTE_ACCESS).toEqual(declared);
});

const guarded = ROUTES.filter(({ definition }) => definition.access !== "public");
const call = (role: Role | undefined, { route, method }: (typeof ROUTES)[number]) =>
  server.call(route, { as: role, method, params: {}, body: method === "GET" ? undefined : {} });

test.each(guarded)("$name without credentials is 401", async (entry) => {
  expect((await call(undefined, entry)).status).toBe(401);
});

const tooLow = guarded.flatMap((entry) => {
  const roles = (["viewer", "member"] as const).filter(
    (role) => !roleScopes(role).includes(entry.definition.access as Scope),
  );
  return roles.map((role) => ({ ...entry, role }));
});

test.each(tooLow)("$name as $role is 403", async ({ role, ...entry }) => {
  expect((await call(role, entry)).status).toBe(403);
});

test("the document describes every method with a summary, a reply and no dangling reference", async () => {
  const document = await (await server.call(openApi, { as: "viewer" })).json();
  const operations = ROUTES.map(({ name, method }) => {
    const template = name.split(" ")[1]?.replaceAll(/\[([^\]]+)\]/g, "{$1}") ?? "";
    return { name, operation: document.paths[template]?.[method.toLowerCase()] };
  });
  const incomplete = operations.filter(({ operation }) => {
    const [[status, success] = ["", {}]] = Object.entries<Record<string, object>>(operation?.responses ?? {});
    const hasReply = status === "204" || Object.keys(success?.content ?? {}).length > 0;
    return !hasReply || !operation.summary || operation.summary.startsWith("undefined");
  });
  expect(incomplete.map(({ name }) => name)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('"#/$defs');
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
});

test.each([
  ["POST /agents/{id}/resume", { 200: ["application/json", "text/event-stream"] }],
  ["POST /agents/tools/register", { 201: ["application/json"], 200: ["application/json"] }],
  ["POST /api/skills", { 201: ["application/json"], 200: ["application/json"] }],
  ["GET /api/threads/{threadId}/export", { 200: ["application/json", "text/markdown"] }],
  ["GET /api/threads/{threadId}/files/archive", { 200: ["application/octet-stream"] }],
  ["POST /api/threads/{threadId}/messages", { 202: ["application/json"], 200: ["application/json"] }],
  ["GET /health", { 200: ["application/json"], 503: ["application/json"] }],
  ["POST /v1/chat/completions", { 200: ["application/json", "text/event-stream"] }],
  ["POST /v1/responses", { 200: ["application/json", "text/event-stream"] }],
])("the document names every answer of %s", async (name, answers) => {
  const [method = "", url = ""] = name.split(" ");
  const document = await (await server.call(openApi, { as: "viewer" })).json();
  const { default: _, ...responses } = document.paths[url][method.toLowerCase()].responses;
  const named = Object.entries<{ content: object }>(responses).map(([status, { content }]) => [
    status,
    Object.keys(content),
  ]);
  expect(Object.fromEntries(named)).toEqual(answers);
});
