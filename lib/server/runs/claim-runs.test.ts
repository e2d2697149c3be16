import { describe, expect, test } from "vitest";
import { runDatabase, say, seedThread } from "@/lib/testing/run-fixture";
import { claimAbandoned, claimQueued, loadRun } from "./claim-runs";

describe("claims", () => {
  const { database } = runDatabase();
  const read = (id: string) => database().run.findUnique({ where: { id } });
  const lease = (owner: string) => ({ owner, until: new Date(Date.now() + 60_000) });

  test("a claimed run has every column as Prisma reads it", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    const [claimed] = await claimQueued(database(), lease("host_1"), 10);
    expect(claimed).toMatchObject({ id: runId, status: "running", leaseOwner: "host_1", epoch: 1, isReported: false });
    expect(claimed).toEqual(await read(runId));
    const dates = { waitingSince: new Date(1), cancelRequestedAt: new Date(2), endedAt: new Date(3) };
    await database().run.update({ where: { id: runId }, data: { ...dates, isInline: true, costUsd: 0.5 } });
    const [taken] = await claimAbandoned(database(), lease("host_2"), "everybodyElses");
    expect(taken).toMatchObject({ ...dates, isInline: true, segment: 1, takeovers: 1 });
    expect(taken).toEqual(await read(runId));
    expect(await loadRun(database(), runId)).toEqual(await read(runId));
  });
});
