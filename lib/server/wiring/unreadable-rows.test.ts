import { afterAll, beforeAll, expect, test } from "vitest";
import { ROUTE_MODULES } from "@/app/api/openapi.json/route-modules";
import type { Route } from "@/lib/server/http/route";
import { FIRST_ROWS, insertFirstRows, isJson, type Opened, openSqliteFile } from "@/lib/testing/databases/first-rows";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

/** The lists of the console and of the API; for the lists of one thing, the query for its id. */
const LISTS: Readonly<Record<string, string | null>> = {
  "/agents": null,
  "/agents/hooks/available": null,
  "/agents/skills/available": null,
  "/agents/tools/available": null,
  "/agents/traces": null,
  "/api/agents": null,
  "/api/alerts": null,
  "/api/api-keys": null,
  "/api/approvals": null,
  "/api/audit": null,
  "/api/boards": null,
  "/api/boards/[boardId]/tasks": `select "boardId" as "id" from "board_card" where "boardId" in (select "id" from "board")`,
  "/api/budgets": null,
  "/api/channel-links": null,
  "/api/channels": null,
  "/api/deliveries": null,
  "/api/deliveries/[deliveryId]/attempts": `select "deliveryId" as "id" from "delivery_attempt"`,
  "/api/extensions": null,
  "/api/grants": null,
  "/api/groups": null,
  "/api/heartbeats": null,
  "/api/http-tools": null,
  "/api/inbox-notes": null,
  "/api/invitations": null,
  "/api/mcp-connections": null,
  "/api/mcp-servers": null,
  "/api/mcp-servers/[serverId]/tools": `select "serverId" as "id" from "mcp_tool"`,
  "/api/memory": null,
  "/api/problems": null,
  "/api/projects": null,
  "/api/prompts": null,
  "/api/providers": null,
  "/api/push-subscriptions": null,
  "/api/schedules": null,
  "/api/schedules/firings": null,
  "/api/skills": null,
  "/api/threads": null,
  "/api/threads/[threadId]/messages": `select "threadId" as "id" from "transcript_message"`,
  "/api/threads/[threadId]/queue": `select "threadId" as "id" from "transcript_message"`,
  "/api/traces": null,
  "/api/traces/views": null,
  "/api/users": null,
  "/api/webhooks": null,
  "/api/webhooks/[webhookId]/firings": `select "id" from "webhook"`,
  "/v1/models": null,
};
/** Tables whose rows the reader sees as their owner. */
const OWNED = ["approval", "delivery", "grant", "run", "trace"];

let server: TestServer;
let opened: Opened;
beforeAll(async () => {
  server = await startTestServer();
  opened = openSqliteFile(server.databaseUrl.replace(/^file:/, ""));
  await insertFirstRows("sqlite", opened, "on conflict do nothing");
  await opened.run(`update "thread" set "ownerId" = 'admin', "clientId" = "id"`);
  for (const table of OWNED) await opened.run(`update "${table}" set "ownerId" = 'admin'`);
  const alert = { name: "Errors", query: "", metric: "error_rate", threshold: 0.1, windowMinutes: 60, targets: "[]" };
  await server.database.alert.create({ data: { id: "alert_1", ownerId: "admin", ...alert, armedAt: new Date() } });
});
afterAll(async () => {
  await opened.close();
  await server.close();
});

/** The columns that hold JSON. */
async function jsonColumns(): Promise<{ table: string; column: string }[]> {
  const tables = new Set([...FIRST_ROWS.map(({ table }) => table), "alert"]);
  const found: { table: string; column: string }[] = [];
  for (const table of tables) {
    const rows = await opened.all(`select * from "${table}"`);
    const columns = Object.keys(rows[0] ?? {});
    const holdsJson = (column: string) => rows.some((row) => isJson(String(row[column] ?? "")));
    for (const column of columns.filter(holdsJson)) found.push({ table, column });
  }
  return found;
}

/** What each list answers. */
async function answers(): Promise<string[]> {
  const found: string[] = [];
  for (const [url, query] of Object.entries(LISTS)) {
    const [{ id } = { id: "" }] = query === null ? [] : await opened.all(query);
    const params = Object.fromEntries([...url.matchAll(/\[(\w+)\]/g)].map(([, name]) => [name, String(id)]));
    const path = url.replace(/\[\w+\]/, String(id));
    const reply = await server.call(routeOf(url), { as: "admin", path, params });
    const body = await reply.json();
    expect(reply.ok ? [body, ...Object.values(body)].filter(Array.isArray) : [body], url).not.toEqual([]);
    found.push(`${url} ${reply.status}`);
  }
  return found;
}

function routeOf(url: string): Route {
  const route = ROUTE_MODULES[url]?.GET;
  if (!route) throw new Error(`There is no list ${url}.`);
  return route as Route;
}

test("no list fails because rows of a table can't be read", async () => {
  expect(await answers()).toEqual(Object.keys(LISTS).map((url) => `${url} 200`));
  const columns = await jsonColumns();
  expect(columns.length).toBeGreaterThan(45);
  const broken: unknown[] = [];
  for (const { table, column } of columns) {
    const ofReader = table === "api_key" ? `and "prefix" <> 'rm_test_'` : "";
    await opened.run(`create table "kept" as select * from "${table}"`);
    await opened.run(
      `update "${table}" set "${column}" = '{"cut":' where ("${column}" like '{%' or "${column}" like '[%') ${ofReader}`,
    );
    // What belongs to one thing is gone with it.
    const failed = (await answers()).filter((answer) => !/ (?:200|404)$/.test(answer));
    broken.push(...failed.map((answer) => `${table}.${column}: ${answer}`));
    await opened.run(`delete from "${table}"; insert into "${table}" select * from "kept"; drop table "kept"`);
  }
  expect(broken).toEqual([]);
});
