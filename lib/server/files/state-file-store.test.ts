import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import type { StateFileStore } from "@/lib/workspaces/state-workspace";
import { createStateFileStore } from "./state-file-store";
import { requireWorkspace } from "./workspace-row";

let testDatabase: TestDatabase;
let store: StateFileStore;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  await seedThread(testDatabase.database);
  const owner = { agentId: "agent", ownerId: "u1", threadId: "th1" };
  store = createStateFileStore(
    testDatabase.database,
    (await requireWorkspace(testDatabase.database, "user", owner)).id,
  );
});
afterEach(() => testDatabase.close());

const bytes = (text: string) => new TextEncoder().encode(text);
const paths = async (folder: string) => (await store.list(folder)).map(({ path }) => path).toSorted();

test("a file reads as it was last written", async () => {
  await store.write("a.txt", bytes("one"));
  await store.write("a.txt", bytes("two!"));
  expect(new TextDecoder().decode((await store.read("a.txt")) ?? undefined)).toBe("two!");
  expect(await store.find(["a.txt", "b.txt"])).toEqual([{ path: "a.txt", sizeBytes: 4 }]);
  expect(await store.totalBytes()).toBe(4);
});

test("a folder lists what is in it, not what is next to it", async () => {
  for (const path of ["a/x", "a/b/y", "ab/x", "a%/x", "a_/x", "z\u{1f600}/x"]) await store.write(path, bytes("1"));
  expect(await paths("a")).toEqual(["a/b/y", "a/x"]);
  expect(await paths("a%")).toEqual(["a%/x"]);
  expect(await paths("z\u{1f600}")).toEqual(["z\u{1f600}/x"]);
  expect(await paths("")).toHaveLength(6);
});

test("a removed file is gone, and removing it again says so", async () => {
  await store.write("a.txt", bytes("1"));
  expect(await store.remove("a.txt")).toBe(true);
  expect(await store.remove("a.txt")).toBe(false);
  expect(await store.read("a.txt")).toBeNull();
});
