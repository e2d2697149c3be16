import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { createFileHistory } from "./file-history";
import { requireWorkspace } from "./workspace-row";
import { writtenFiles } from "./written-files";

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  await seedThread(testDatabase.database);
});
afterEach(() => testDatabase.close());

const bytes = (text: string) => new TextEncoder().encode(text);
const OWNER = { agentId: "agent", ownerId: "u1", threadId: "th1" };

async function openHistory(database: Database = testDatabase.database) {
  const { id: workspaceId } = await requireWorkspace(database, "user", OWNER);
  return createFileHistory(database, { ...OWNER, workspaceId, runId: "run_1", memoryPaths: ["AGENTS.md"] });
}

test("each change is a version with its lines counted, and equal content is stored once", async () => {
  const history = await openHistory();
  const one = await history.record({ path: "a.txt", before: null, after: bytes("x\n") });
  const two = await history.record({ path: "a.txt", before: bytes("x\n"), after: bytes("y\nz\n") });
  const back = await history.record({ path: "a.txt", before: bytes("y\nz\n"), after: bytes("x\n") });
  expect([one, two, back]).toEqual([
    { version: 1, addedLines: 1, removedLines: 0 },
    { version: 2, addedLines: 2, removedLines: 1 },
    { version: 3, addedLines: 1, removedLines: 2 },
  ]);
  expect(await testDatabase.database.blob.count()).toBe(2);
});

test("a file that was there before keeps its first content as version 1", async () => {
  const history = await openHistory();
  const change = await history.record({ path: "b.txt", before: bytes("old\n"), after: bytes("new\n") });
  expect(change.version).toBe(2);
  const first = await testDatabase.database.fileVersion.findFirst({ where: { version: 1 } });
  expect(first).toMatchObject({ runId: null, authorId: null, sizeBytes: 4 });
});

test("looking for changes from outside reads one version of each file, however many there are", async () => {
  const history = await openHistory();
  for (const text of ["1", "2", "3"]) await history.record({ path: "a.txt", before: null, after: bytes(text) });
  const { database } = testDatabase;
  const rows: number[] = [];
  const execute: Database["execute"] = async (...statement) => {
    const found = await database.execute(...statement);
    rows.push(found.length);
    return found;
  };
  const watched = await openHistory(Object.create(database, { execute: { value: execute } }));
  await watched.observe?.([{ path: "a.txt", bytes: bytes("3") }]);
  expect(rows).toEqual([1]);
});

test("a change of a memory document is a memory version too", async () => {
  const history = await openHistory();
  await history.record({ path: "AGENTS.md", before: null, after: bytes("Remember.") });
  await history.record({ path: "other.md", before: null, after: bytes("No.") });
  const versions = await testDatabase.database.memoryVersion.findMany();
  expect(versions).toMatchObject([{ path: "AGENTS.md", kind: "agent", author: "agent", version: 1 }]);
});

test("the files of a thread are what its calls last wrote there; deleted and binary ones are left out", async () => {
  const history = await openHistory();
  const call = { toolCallId: "call_1" };
  await history.record({ path: "a.txt", before: null, after: bytes("1"), ...call });
  await history.record({ path: "a.txt", before: bytes("1"), after: bytes("2"), ...call });
  await history.record({ path: "gone.txt", before: null, after: bytes("x"), ...call });
  await history.record({ path: "gone.txt", before: bytes("x"), after: null, ...call });
  await history.record({ path: "marked.csv", before: null, after: bytes("\ufeffa;b"), ...call });
  await history.record({ path: "data.bin", before: null, after: bytes("a\u0000b"), ...call });
  await history.record({ path: "image.png", before: null, after: new Uint8Array([0xff, 0xfe, 0x00]), ...call });
  await history.record({ path: "USER.md", before: null, after: bytes("seeded, by no call") });
  expect(await writtenFiles(testDatabase.database, { id: "th1", agentId: "agent" })).toEqual({
    "a.txt": "2",
    "marked.csv": "\ufeffa;b",
  });
});

test("users never share a workspace or a folder unless the scope is the agent", async () => {
  const { database } = testDatabase;
  const place = (scope: "user" | "agent" | "thread", owner: Partial<typeof OWNER> = {}) =>
    requireWorkspace(database, scope, { ...OWNER, ...owner });
  const strange = { ownerId: "../u1", threadId: "a/b" };
  const places = await Promise.all([
    place("user"),
    place("user", { ownerId: "u2" }),
    place("user", strange),
    place("thread"),
    place("thread", strange),
    place("agent"),
  ]);
  expect(new Set(places.map(({ id }) => id)).size).toBe(6);
  expect(new Set(places.map(({ folder }) => folder)).size).toBe(6);
  expect(places.every(({ folder }) => !folder.includes(".."))).toBe(true);
  expect((await place("agent", { ownerId: "u2" })).id).toBe(places[5]?.id);
  expect((await place("user")).id).toBe(places[0]?.id);
});

test("a deleted memory document has a version that says so, and each version its lines", async () => {
  const history = await openHistory();
  await history.record({ path: "AGENTS.md", before: null, after: bytes("Tea.\nNo milk.\n") });
  await history.record({ path: "AGENTS.md", before: bytes("Tea.\nNo milk.\n"), after: null });
  const versions = await testDatabase.database.memoryVersion.findMany({ orderBy: { version: "asc" } });
  expect(versions).toMatchObject([
    { version: 1, blobHash: expect.any(String), lineHashes: expect.stringMatching(/^[0-9a-f]{32}$/) },
    { version: 2, blobHash: null, lineHashes: null, author: "agent" },
  ]);
});

test("a memory document that was changed from outside becomes a new version, once", async () => {
  const history = await openHistory();
  await history.record({ path: "AGENTS.md", before: null, after: bytes("Remember.") });
  await history.observe?.([{ path: "AGENTS.md", bytes: bytes("Remember.") }]);
  await history.observe?.([
    { path: "AGENTS.md", bytes: bytes("Changed with vi.") },
    { path: "memory/202611/20261122.md", bytes: bytes("A note") },
  ]);
  await history.observe?.([{ path: "AGENTS.md", bytes: bytes("Changed with vi.") }]);
  const versions = await testDatabase.database.memoryVersion.findMany({
    orderBy: [{ path: "asc" }, { version: "asc" }],
  });
  expect(versions.map(({ path, kind, version, author, runId }) => ({ path, kind, version, author, runId }))).toEqual([
    { path: "AGENTS.md", kind: "agent", version: 1, author: "agent", runId: "run_1" },
    { path: "AGENTS.md", kind: "agent", version: 2, author: "outside", runId: null },
    { path: "memory/202611/20261122.md", kind: "daily", version: 1, author: "outside", runId: null },
  ]);
});

test("what a command has changed or removed becomes versions; what is as known does not", async () => {
  const history = await openHistory();
  for (const path of ["same.txt", "other.txt", "gone.txt"]) {
    await history.record({ path, before: null, after: bytes("1\n") });
  }
  const files = [
    { path: "same.txt", bytes: bytes("1\n") },
    { path: "other.txt", bytes: bytes("1\n2\n") },
    { path: "new.txt", bytes: bytes("3\n") },
  ];
  const found = { files, isGone: async (path: string) => path === "gone.txt", toolCallId: "c1", spanId: "sp_1" };
  expect(await history.recordFound?.(found)).toEqual([
    { path: "other.txt", operation: "changed", version: 2, addedLines: 1, removedLines: 0 },
    { path: "new.txt", operation: "created", version: 1, addedLines: 1, removedLines: 0 },
    { path: "gone.txt", operation: "deleted", version: 2, addedLines: 0, removedLines: 0 },
  ]);
  const row = await testDatabase.database.fileVersion.findFirst({ where: { path: "other.txt", version: 2 } });
  expect(row).toMatchObject({ runId: "run_1", threadId: "th1", toolCallId: "c1", spanId: "sp_1" });
  expect(await history.recordFound?.(found)).toEqual([]);
});

test("many runs that see a file before its writer is noted leave one version, by its writer", async () => {
  const history = await openHistory();
  const file = { path: "AGENTS.md", bytes: bytes("Remember.") };
  const looks = Array.from({ length: 8 }, () => history.observe?.([file]));
  const [change] = await Promise.all([history.record({ path: file.path, before: null, after: file.bytes }), ...looks]);
  expect(change.version).toBe(1);
  const author = { version: 1, runId: "run_1" };
  expect(await testDatabase.database.fileVersion.findMany()).toMatchObject([author]);
  expect(await testDatabase.database.memoryVersion.findMany()).toMatchObject([{ ...author, author: "agent" }]);
});

test("versions that are made at the same moment all get a number of their own", async () => {
  const history = await openHistory();
  const texts = Array.from({ length: 8 }, (_, index) => bytes(`text ${index}`));
  const changes = await Promise.all(texts.map((after) => history.record({ path: "a.txt", before: null, after })));
  expect(changes.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a file is known among however many others", async () => {
  const history = await openHistory();
  await history.record({ path: "z.txt", before: null, after: bytes("same") });
  const { workspaceId } = await testDatabase.database.fileVersion.findFirstOrThrow();
  const others = Array.from({ length: 5_000 }, (_, at) => ({
    id: `fv_${at}`,
    workspaceId,
    path: `a${String(at).padStart(4, "0")}`,
    version: 1,
    sizeBytes: 0,
    addedLines: 0,
    removedLines: 0,
  }));
  await testDatabase.database.fileVersion.createMany({ data: others });
  const files = [{ path: "z.txt", bytes: bytes("same") }];
  expect(await history.recordFound?.({ files, isGone: async () => false })).toEqual([]);
});
