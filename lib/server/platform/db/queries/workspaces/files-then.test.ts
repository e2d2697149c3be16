import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { selectFilesThen, selectFirstLeft, selectLastChangeOf } from "./files-then";

let testDatabase: TestDatabase;
let workspaces = 0;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

interface Change {
  readonly path: string;
  /** Null deletes the file. */
  readonly hash: string | null;
  readonly runId?: string;
  readonly before?: string;
  readonly seq?: null;
}

/** A workspace with these changes in their order. */
async function workspaceWith(changes: readonly Change[]): Promise<string> {
  const { database } = testDatabase;
  const id = `ws_${++workspaces}`;
  await database.workspace.create({ data: { id, agentId: "a", scopeKey: id } });
  const versions = new Map<string, number>();
  const rows = changes.map(({ path, hash, runId = null, before = "unknown", seq }, index) => {
    const version = (versions.get(path) ?? 0) + 1;
    versions.set(path, version);
    const content = { blobHash: hash, sizeBytes: hash?.length ?? 0 };
    const order = { seq: seq === null ? null : index + 1, version };
    return { id: `${id}_${index}`, workspaceId: id, path, ...content, ...order, runId, step: 1, before };
  });
  await database.fileVersion.createMany({ data: rows });
  return id;
}

const then = async (workspaceId: string, seq: number) =>
  (await selectFilesThen(testDatabase.database, { workspaceId, seq }, 100)).map(({ path, blobHash }) => [
    path,
    blobHash,
  ]);

test("the files after any change are what a plain map has after it", async () => {
  const change = fc.record({
    path: fc.constantFrom("a", "b/c", "d.md"),
    hash: fc.option(fc.constantFrom("h1", "h2", "h3"), { nil: null }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const workspaceId = await workspaceWith(changes);
      const files = new Map<string, string>();
      for (let seq = 0; seq <= changes.length; seq++) {
        const made = changes[seq - 1];
        if (made?.hash) files.set(made.path, made.hash);
        else if (made) files.delete(made.path);
        expect(await then(workspaceId, seq)).toEqual([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
      }
    }),
    { numRuns: 25 },
  );
});

test("versions from before changes were numbered precede all others", async () => {
  const id = await workspaceWith([
    { path: "old", hash: "h1", seq: null },
    { path: "old", hash: "h2", seq: null },
    { path: "old", hash: "h3" },
  ]);
  expect(await then(id, 0)).toEqual([["old", "h2"]]);
  expect(await then(id, 3)).toEqual([["old", "h3"]]);
});

test("a file that a run found and changed first was there before, a file that it made was not", async () => {
  const id = await workspaceWith([
    { path: "there", hash: "h1" },
    { path: "there", hash: "h2", runId: "r", before: "h1" },
    { path: "made", hash: "h3", runId: "r", before: "absent" },
    { path: "seen", hash: "h4" },
  ]);
  const { database } = testDatabase;
  const first = await selectFirstLeft(database, { workspaceId: id, seq: 0 }, 100);
  expect(first.map(({ path, isOriginal }) => [path, isOriginal])).toEqual([
    ["made", false],
    ["seen", false],
    ["there", true],
  ]);
  expect(await selectFirstLeft(database, { workspaceId: id, seq: 4 }, 100)).toEqual([]);
  expect(await selectLastChangeOf(database, { workspaceId: id, runId: "r" })).toBe(3);
  expect(await selectLastChangeOf(database, { workspaceId: id, runId: "other" })).toBe(0);
});
