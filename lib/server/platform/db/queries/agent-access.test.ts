import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { type AgentAccess, EVERY_AGENT, reachableWhere, selectReachable } from "./agent-access";

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  for (const id of ["one", "two"]) await own.database.agent.create({ data: { id } });
});
afterAll(() => own.close());

/** The agents that both conditions let through, the statement's and that of lists. */
async function reached(access: AgentAccess): Promise<string[]> {
  const rows = await selectReachable(own.database, ["one", "two", "none"], access);
  const listed = await own.database.agent.findMany({ where: reachableWhere(access), orderBy: { id: "asc" } });
  const ids = rows.map(({ id }) => id).toSorted();
  expect(listed.map(({ id }) => id)).toEqual(ids);
  return ids;
}

test.each<[string, AgentAccess, string[]]>([
  ["no key", EVERY_AGENT, ["one", "two"]],
  ["a key for one agent", { userId: null, key: ["one"] }, ["one"]],
  ["a key for an agent that does not exist", { userId: null, key: ["none"] }, []],
  ["a key for no agent", { userId: null, key: [] }, []],
  ["a person's key for no agent", { userId: "somebody", key: [] }, []],
])("%s reaches the agents it names and no other", async (_, access, ids) => {
  expect(await reached(access)).toEqual(ids);
});
