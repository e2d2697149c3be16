import { afterEach, beforeEach, expect, test } from "vitest";
import type { SavedPrompt } from "@/lib/schema/prompts/saved-prompt";
import type { Role } from "@/lib/schema/users/user";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as change, GET as getOne, DELETE as remove } from "./[promptId]/route";
import { POST as create, GET as list } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const REVIEW = { name: "review", description: "Look for faults", text: "Review {{file}} for {{kind=bugs}}." };

async function save(body: object, as: Role = "member"): Promise<SavedPrompt> {
  const reply = await server.call(create, { as, body: { ...REVIEW, ...body } });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return reply.json();
}
const refused = async (body: object, as: Role = "member") => {
  const reply = await server.call(create, { as, body: { ...REVIEW, ...body } });
  return [reply.status, (await reply.json()).error?.message];
};
const names = async (as: Role = "member") =>
  (await (await server.call(list, { as })).json()).prompts.map(({ name }: SavedPrompt) => name);
const on = (route: typeof getOne, { id }: SavedPrompt, as: Role, body?: object) =>
  server.call(route, { as, params: { promptId: id }, ...(body ? { body } : {}) });

test("a prompt is saved, read, changed and deleted by its owner, and hidden from others", async () => {
  const saved = await save({});
  expect(saved).toMatchObject({ ...REVIEW, shared: false });
  expect(await (await on(change, saved, "member", { text: "Read {{file}}." })).json()).toMatchObject({
    name: "review",
    text: "Read {{file}}.",
  });
  for (const as of ["viewer", "admin"] as const) {
    expect((await on(getOne, saved, as)).status).toBe(404);
    expect(await names(as)).toEqual([]);
  }
  expect((await on(change, saved, "admin", { text: "Mine" })).status).toBe(404);
  expect((await on(remove, saved, "admin")).status).toBe(404);
  expect((await on(remove, saved, "member")).status).toBe(204);
  expect(await names()).toEqual([]);
});

test("administrators share prompts with everybody, and every such change is audited", async () => {
  const shared = await save({ name: "standup", shared: true }, "admin");
  expect(await names("viewer")).toEqual(["standup"]);
  expect((await on(change, shared, "member", { text: "Other" })).status).toBe(403);
  expect((await on(remove, shared, "member")).status).toBe(403);
  expect(await refused({ shared: true })).toEqual([
    403,
    "Only administrators change prompts that are for everybody. Save one of your own.",
  ]);
  await on(change, shared, "admin", { text: "Other" });
  await on(remove, shared, "admin");
  const entries = await server.database.auditEntry.findMany({ where: { target: `prompt:${shared.id}` } });
  expect(entries.map(({ action }) => action).sort()).toEqual(["prompt.created", "prompt.deleted", "prompt.updated"]);
});

test("what an administrator stops sharing becomes the administrator's own", async () => {
  const shared = await save({ shared: true }, "admin");
  expect((await on(change, shared, "admin", { shared: false })).status).toBe(200);
  expect([await names("member"), await names("admin")]).toEqual([[], ["review"]]);
});

test("a name is one's own once, and once among the shared ones", async () => {
  const taken = "There is a prompt with this name already.";
  await save({});
  expect(await refused({})).toEqual([409, taken]);
  await save({ shared: true }, "admin");
  expect(await refused({ shared: true }, "admin")).toEqual([409, taken]);
  expect(await names()).toEqual(["review", "review"]);
});

test("a name is what a slash can begin, and no command", async () => {
  for (const name of ["", "Two Words", "-x", "stop", "a".repeat(65)]) {
    expect((await refused({ name }))[0], name).toBe(400);
  }
  expect((await refused({ text: " " }))[0]).toBe(400);
});
