import { afterEach, beforeEach, expect, test } from "vitest";
import type { TraceView } from "@/lib/schema/traces/list/trace-view";
import type { Role } from "@/lib/schema/users/user";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as change, DELETE as remove } from "./[viewId]/route";
import { POST as create, GET as list } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const SLOW = { name: "Slow", query: "agent=coder&minWorked=60000&columns=worked,cost" };
const save = async (body: object, as: Role = "member") => {
  const reply = await server.call(create, { as, body: { ...SLOW, ...body } });
  return { status: reply.status, view: (await reply.json()) as TraceView };
};
const views = async (as: Role = "member") =>
  ((await (await server.call(list, { as })).json()) as { views: TraceView[] }).views;
const on = (route: typeof change, id: string, as: Role, body?: object) =>
  server.call(route, { as, params: { viewId: id }, ...(body ? { body } : {}) });

test("a view is saved, renamed, changed and deleted by its owner, and hidden from others", async () => {
  const { status, view } = await save({});
  expect([status, view]).toEqual([201, { id: view.id, ...SLOW }]);
  for (const as of ["viewer", "admin"] as const) expect(await views(as)).toEqual([]);
  expect([(await on(change, view.id, "admin", { name: "Mine" })).status]).toEqual([404]);
  expect((await on(remove, view.id, "admin")).status).toBe(404);
  expect(await (await on(change, view.id, "member", { name: "Slowest" })).json()).toEqual({ ...view, name: "Slowest" });
  await on(change, view.id, "member", { query: "" });
  expect(await views()).toEqual([{ id: view.id, name: "Slowest", query: "" }]);
  expect((await on(remove, view.id, "member")).status).toBe(204);
  expect((await on(remove, view.id, "member")).status).toBe(404);
  expect(await views()).toEqual([]);
});

test("a name is one's own once, and views are listed by it", async () => {
  await save({});
  expect((await save({})).status).toBe(409);
  expect((await save({}, "admin")).status).toBe(201);
  const { view } = await save({ name: "Dear" });
  expect((await on(change, view.id, "member", { name: "Slow" })).status).toBe(409);
  expect((await views()).map(({ name }) => name)).toEqual(["Dear", "Slow"]);
});

test("what is not a query string, and more than 50 views, are refused", async () => {
  for (const query of ["?agent=coder", "agent=coder#top", "a\nb", "a".repeat(4_001)]) {
    expect([query.slice(0, 20), (await save({ query })).status]).toEqual([query.slice(0, 20), 400]);
  }
  for (let index = 0; index < 50; index++) await save({ name: `View ${index}` });
  expect((await save({ name: "One more" })).status).toBe(409);
});
