import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { storeBlob } from "@/lib/server/files/blobs";
import { createStateFileStore } from "@/lib/server/files/state-file-store";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import { TABLES_WITH_BLOBS } from "@/lib/server/platform/db/queries/retention/purge";
import { upsertSetting } from "@/lib/server/platform/db/queries/settings";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import { DAY_MS, daysAgo, housekeepingInstallation } from "@/lib/testing/databases/housekeeping-fixture";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, after, addTrace } = housekeepingInstallation();

/** Pretends that blobs have long recorded when they were stored. */
const recordForLong = () => upsertSetting(database(), "blobs-recorded-since", "0");

async function storeText(text: string, storedAt: Date): Promise<string> {
  const hash = await storeBlob(database(), new TextEncoder().encode(text));
  await database().blob.update({ where: { hash }, data: { createdAt: storedAt } });
  return hash;
}

const hasBlob = async (hash: string) => (await database().blob.count({ where: { hash } })) === 1;

test("contents go that no file names and that were stored before every trace", async () => {
  await seedThread(database());
  await recordForLong();
  await addTrace("tr_oldest", { runId: "run_1", startedAt: daysAgo(10) });
  const { id } = await requireWorkspace(database(), "user", { agentId: "agent", ownerId: "u1", threadId: "th1" });
  await createStateFileStore(database(), id).write("notes.md", new TextEncoder().encode("named"));
  const named = await storeText("named", daysAgo(50));
  const unnamed = await storeText("unnamed", daysAgo(50));
  const inTrace = await storeText("a trace may name it", daysAgo(10));
  await after(0);
  expect([await hasBlob(named), await hasBlob(unnamed), await hasBlob(inTrace)]).toEqual([true, false, true]);
});

test("a text that traces still use counts as stored now", async () => {
  await recordForLong();
  const hash = await storeText("the system prompt", daysAgo(50));
  await addTrace("tr_new", { runId: "run_1" });
  const buffer = new SpanBuffer(database());
  buffer.texts.keep("the system prompt");
  await buffer.texts.store(database());
  await after(0);
  expect(await hasBlob(hash)).toBe(true);
});

test("contents from before their time was recorded stay as long as traces from then do", async () => {
  const hash = await storeText("from an earlier version", daysAgo(50));
  await addTrace("tr_earlier", { runId: "run_1", startedAt: daysAgo(20) });
  await after(0);
  expect(await hasBlob(hash)).toBe(true);
  await database().trace.deleteMany();
  await after(2);
  expect(await hasBlob(hash)).toBe(false);
});

test("every table that names blobs is asked before one goes", () => {
  const models = readFileSync("prisma/sqlite/schema.prisma", "utf8").split(/^model /m);
  const naming = models
    .filter((model) => /^ +blobHash /m.test(model))
    .map((model) => /@@map\("(\w+)"\)/.exec(model)?.[1]);
  expect(naming.toSorted()).toEqual([...TABLES_WITH_BLOBS].toSorted());
});

test("overwritten drafts are kept for 30 days, and the last one for ever", async () => {
  await seedThread(database());
  const draft = (revision: number) => ({ agentId: "agent", revision, yaml: "name: A\n", baseVersion: 1 });
  const rows = [1, 2, 3].map((revision) => ({ ...draft(revision), endedAt: new Date() }));
  await database().agentDraft.createMany({ data: rows });
  await after(29);
  expect(await database().agentDraft.count()).toBe(3);
  await after(31);
  expect((await database().agentDraft.findMany()).map(({ revision }) => revision)).toEqual([3]);
});

test("of old versions of a file the last one stays, whatever its age", async () => {
  await seedThread(database());
  const { id: workspaceId } = await requireWorkspace(database(), "thread", {
    agentId: "agent",
    ownerId: "u1",
    threadId: "th1",
  });
  const facts = { workspaceId, sizeBytes: 1, blobHash: "h" };
  const memory = { workspaceId, agentId: "agent", kind: "memory", author: "person", blobHash: "h" };
  for (const [path, ages] of [
    ["old.md", [90, 80, 70]],
    ["mixed.md", [90, 10, 1]],
  ] as const) {
    for (const [index, age] of ages.entries()) {
      const version = { path, version: index + 1, createdAt: daysAgo(age) };
      await database().fileVersion.create({ data: { id: `${path}${index}`, ...facts, ...version } });
      await database().memoryVersion.create({ data: { id: `${path}${index}`, ...memory, ...version } });
    }
  }
  await after(0);
  expect(await database().fileVersion.count()).toBe(6);
  await after(0, { fileVersions: 30 * DAY_MS });
  const kept = ["mixed.md 2", "mixed.md 3", "old.md 3"];
  const orderBy = [{ path: "asc" as const }, { version: "asc" as const }];
  const nameOf = ({ path, version }: { path: string; version: number }) => `${path} ${version}`;
  expect((await database().fileVersion.findMany({ orderBy })).map(nameOf)).toEqual(kept);
  expect((await database().memoryVersion.findMany({ orderBy })).map(nameOf)).toEqual(kept);
});
