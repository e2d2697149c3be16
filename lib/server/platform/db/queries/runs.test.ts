import { describe, expect, inject, test } from "vitest";
import { countStatements } from "@/lib/testing/databases/count-statements";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { claimRun, releaseRun, requeueRun } from "./dispatch/claims";
import { selectLateChildren, selectRun } from "./runs";

describe("claims", () => {
  const { database } = runDatabase();
  const read = (id: string) => database().run.findUnique({ where: { id } });

  test("a claimed run has every column as Prisma reads it", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    const claimed = await claimRun(database(), { runId, owner: "host_1", isRetry: false });
    expect(claimed).toMatchObject({ id: runId, status: "running", leaseOwner: "host_1", epoch: 1, isReported: false });
    expect(claimed).toEqual(await read(runId));
    const dates = { waitingSince: new Date(1), cancelRequestedAt: new Date(2), endedAt: null };
    await database().run.update({ where: { id: runId }, data: { ...dates, isInline: true, costUsd: 0.5 } });
    expect(await claimRun(database(), { runId, owner: "host_2", isRetry: false })).toBeNull();
    const taken = await claimRun(database(), { runId, owner: "host_2", isRetry: true });
    expect(taken).toMatchObject({ ...dates, isInline: true, segment: 1, takeovers: 1, epoch: 2 });
    expect(taken).toEqual(await read(runId));
    expect(await selectRun(database(), runId)).toEqual(await read(runId));
  });

  test("a run that its process released continues without counting as a takeover", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    const claimed = await claimRun(database(), { runId, owner: "host_1", isRetry: false });
    if (claimed) await releaseRun(database(), claimed);
    const next = await claimRun(database(), { runId, owner: "host_2", isRetry: true });
    expect(next).toMatchObject({ takeovers: 0, segment: 1, epoch: 2, leaseOwner: "host_2" });
  });

  test("a process that claims again what it holds has not crashed", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    await claimRun(database(), { runId, owner: "host_1", isRetry: false });
    const again = await claimRun(database(), { runId, owner: "host_1", isRetry: true });
    expect(again).toMatchObject({ takeovers: 0, segment: 1, epoch: 2, leaseOwner: "host_1" });
  });

  test("a process that has lost a run can neither release it nor queue it again", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    const lost = await claimRun(database(), { runId, owner: "host_1", isRetry: false });
    const held = await claimRun(database(), { runId, owner: "host_2", isRetry: true });
    if (lost) await requeueRun(database(), lost);
    if (lost) await releaseRun(database(), lost);
    expect(await read(runId)).toEqual(held);
    if (held) await requeueRun(database(), held);
    expect(await read(runId)).toMatchObject({ status: "queued", leaseOwner: null, segment: 1, takeovers: 1 });
  });

  test.skipIf(inject("testDatabase") !== "sqlite")(
    "children to report are found without reading every run",
    async () => {
      const count = countStatements();
      await selectLateChildren(database());
      const [statement] = count().statements;
      const plan = await database().raw<{ detail: string }>(`explain query plan ${statement}`);
      expect(plan.map(({ detail }) => detail)[0]).toMatch(/USING INDEX run_unreported_idx/);
    },
  );
});
