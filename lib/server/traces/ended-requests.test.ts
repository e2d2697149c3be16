import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as whatIf } from "@/app/api/permissions/what-if/route";
import { GET as problems } from "@/app/api/problems/route";
import { GET as charts } from "@/app/api/traces/charts/route";
import { POST as difference } from "@/app/api/traces/difference/route";
import { GET as facets } from "@/app/api/traces/facets/route";
import { POST as parse } from "@/app/api/traces/parse/route";
import { GET as list } from "@/app/api/traces/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import type { Route } from "@/lib/server/http/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await createAgent(server.services, {
    agentId: "asked",
    raw: { name: "Asked", model: "scripted:m" },
    createdById: null,
  });
});
afterAll(() => server.close());

const SEARCH = "?q=which%20run";
const READS: readonly [string, Route, { path?: string; body?: object }][] = [
  ["the list's search", list, { path: `/api/traces${SEARCH}` }],
  ["the list by a facet", list, { path: "/api/traces?tool=execute" }],
  ["facets", facets, { path: "/api/traces/facets" }],
  ["charts", charts, { path: "/api/traces/charts" }],
  ["the difference", difference, { body: { selection: { filters: {} } } }],
  ["the meaning of words", parse, { body: { text: "failed runs" } }],
  ["problems", problems, { path: "/api/problems" }],
  ["what-if", whatIf, { body: { agentId: "asked", rules: {} } }],
  ["a budget's what-if", whatIf, { body: { budget: { scope: "installation", period: "day", usd: 1 } } }],
];

test.each(READS)("%s is not read for a request that has ended", async (_name, route, { path, body }) => {
  const call = (signal?: AbortSignal) =>
    server.call(route, {
      as: "admin",
      ...(path === undefined ? {} : { path }),
      ...(body === undefined ? {} : { method: "POST", body }),
      ...(signal === undefined ? {} : { signal }),
    });
  expect((await call()).status).toBe(200);
  const left = await call(AbortSignal.abort());
  expect(left.status).toBe(503);
  expect(await left.json()).toMatchObject({ error: { message: "The request ended before it was answered." } });
});
