import { describe, expect, inject, test } from "vitest";
import { countStatements } from "@/lib/testing/databases/count-statements";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { claimRun, type HeldRun, letGoStatements, lostOwnersOf, requeueRun } from "./dispatch/claims";
import { selectLateChildren, selectRun } from "./runs";

describe("claims", () => {
  const { database } = runDatabase();
  const read = (id: string) => database().run.findUnique({ where: { id } });
  const letGo = (held: HeldRun) => database().runAll(letGoStatements(held));
  /** The row after the claim of another process. */
  const take = async (runId: string, owner: string) => {
    const taken = await claimRun(database(), { runId, owner, isRetry: true });
    if (taken === null) throw new Error("The run is not claimable.");
    return taken;
  };

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
    if (claimed) await letGo(claimed);
    const next = await claimRun(database(), { runId, owner: "host_2", isRetry: true });
    expect(next).toMatchObject({ takeovers: 0, lostOwners: null, segment: 1, epoch: 2, leaseOwner: "host_2" });
  });

  test("a process whose run was taken over is lost until it says that it is alive", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    const first = await take(runId, "host_1");
    const second = await take(runId, "host_11");
    const third = await take(runId, "host_3");
    expect([first, second, third].map(lostOwnersOf)).toEqual([[], ["host_1"], ["host_1", "host_11"]]);
    await letGo(first);
    expect(await read(runId)).toEqual({ ...third, lostOwners: " host_11 " });
    await letGo(second);
    expect(await read(runId)).toEqual({ ...third, lostOwners: null });
  });

  test("a process that does not know whether its claim was stored can let go of it, and of no other's", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "Hello");
    await take(runId, "host_1");
    await letGo({ id: runId, leaseOwner: "host_1" });
    expect(await take(runId, "host_2")).toMatchObject({ takeovers: 0, lostOwners: null, leaseOwner: "host_2" });
    await letGo({ id: runId, leaseOwner: "host_1" });
    expect(await read(runId)).toMatchObject({ leaseOwner: "host_2" });
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
    if (lost) await letGo(lost);
    expect(await read(runId)).toEqual({ ...held, lostOwners: null });
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
