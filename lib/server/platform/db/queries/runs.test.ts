import { describe, expect, inject, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { addThread, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { claimAbandonedRuns, claimQueuedRuns, selectLateChildren, selectRun } from "./runs";

describe("claims", () => {
  const { database } = runDatabase();
  const read = (id: string) => database().run.findUnique({ where: { id } });
  const lease = (owner: string) => ({ owner, until: new Date(Date.now() + 60_000) });

  test("a claimed run has every column as Prisma reads it", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    const [claimed] = await claimQueuedRuns(database(), lease("host_1"), 10);
    expect(claimed).toMatchObject({ id: runId, status: "running", leaseOwner: "host_1", epoch: 1, isReported: false });
    expect(claimed).toEqual(await read(runId));
    const dates = { waitingSince: new Date(1), cancelRequestedAt: new Date(2), endedAt: new Date(3) };
    await database().run.update({ where: { id: runId }, data: { ...dates, isInline: true, costUsd: 0.5 } });
    const [taken] = await claimAbandonedRuns(database(), lease("host_2"), "everybodyElses");
    expect(taken).toMatchObject({ ...dates, isInline: true, segment: 1, takeovers: 1 });
    expect(taken).toEqual(await read(runId));
    expect(await selectRun(database(), runId)).toEqual(await read(runId));
  });

  test("runs of one millisecond are claimed in the order they were created, wherever their rows are", async () => {
    await seedThread(database());
    const made: string[] = [];
    for (const threadId of ["a", "b", "c"]) {
      await addThread(database(), threadId);
      made.push((await say(database(), "Hello", { threadId })).runId);
    }
    const createdAt = new Date(0);
    // Postgres puts a changed row after the others.
    for (const id of made.toReversed()) await database().run.update({ where: { id }, data: { createdAt } });
    const claimed = await claimQueuedRuns(database(), lease("host_1"), 10);
    expect(claimed.map(({ id }) => id)).toEqual(made);
  });

  test.skipIf(inject("testDatabase") !== "sqlite")(
    "children to report are found without reading every run",
    async () => {
      let statement = "";
      const raw = async (sql: string) => {
        statement = sql;
        return [];
      };
      await selectLateChildren({ raw } as unknown as Database);
      const plan = await database().raw<{ detail: string }>(`explain query plan ${statement}`);
      expect(plan.map(({ detail }) => detail)[0]).toMatch(/USING INDEX run_unreported_idx/);
    },
  );

  test("users with fewer running runs come first, however long the others' have waited", async () => {
    await seedThread(database());
    await database().user.create({ data: { id: "u2", name: "Bob", email: "bob@example.test" } });
    for (const threadId of ["a", "b", "c"]) {
      await addThread(database(), threadId);
      await say(database(), "Hello", { threadId });
    }
    await addThread(database(), "d", { ownerId: "u2" });
    await say(database(), "Hello", { threadId: "d", ownerId: "u2" });
    const claimed: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      for (const { threadId } of await claimQueuedRuns(database(), lease("host_1"), 1)) claimed.push(threadId);
    }
    expect(claimed).toEqual(["a", "d", "b", "c"]);
  });
});
