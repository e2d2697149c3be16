import { describe, expect, onTestFinished, test, vi } from "vitest";
import { claimFlush } from "@/lib/server/platform/db/queries/paths";
import { releaseThread } from "@/lib/server/platform/db/queries/threads";
import { addThread, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { lockThread, unlockDeadThreads, withThreadLock } from "./thread-lock";

describe("the right to compact a thread", () => {
  const { database } = runDatabase();

  test("is one caller's until it is given back, and nobody waits", async () => {
    await seedThread(database());
    const taken = await Promise.all([1, 2, 3].map(() => lockThread(database(), "th1", 60_000)));
    const owner = taken.find((result) => result !== null) ?? "";
    expect(taken.filter((result) => result !== null)).toHaveLength(1);
    await releaseThread(database(), "th1", "somebody else");
    expect(await lockThread(database(), "th1", 60_000)).toBeNull();
    await releaseThread(database(), "th1", owner);
    expect(await lockThread(database(), "th1", 60_000)).not.toBeNull();
  });

  test("stays with its holder for longer than one lease, and is released even when the work fails", async () => {
    await seedThread(database());
    const until = async () => (await database().thread.findUniqueOrThrow({ where: { id: "th1" } })).compactionUntil;
    const lease = { leaseMs: 1_000, renewMs: 20 };
    const work = async () => {
      const first = Number(await until());
      await reached(async () => Number(await until()) > first + 1_000);
      expect(await withThreadLock(database(), "th1", async () => "mine")).toBeNull();
      throw new Error("no summary");
    };
    await expect(withThreadLock(database(), "th1", work, lease)).rejects.toThrow("no summary");
    expect(await withThreadLock(database(), "th1", async () => "mine")).toBe("mine");
    expect(await until()).toBeNull();
  });

  test("is taken from the dead when it has run out, and from nobody else", async () => {
    await seedThread(database());
    await addThread(database(), "th2");
    await lockThread(database(), "th1", -1);
    await lockThread(database(), "th2", 60_000);
    const ended: string[] = [];
    await unlockDeadThreads(database(), "expired", { endLateSpans: async (threadId) => void ended.push(threadId) });
    expect(ended).toEqual(["th1"]);
    const held = await database().thread.findMany({ where: { compactionOwner: { not: null } } });
    expect(held.map(({ id }) => id)).toEqual(["th2"]);
  });

  test("runs out when its holder died", async () => {
    await seedThread(database());
    await lockThread(database(), "th1", -1);
    expect(await lockThread(database(), "th1", 60_000)).not.toBeNull();
  });

  test("memory is flushed once per cycle", async () => {
    await seedThread(database());
    const { runId: first } = await say(database(), "Hello");
    const { runId: second } = await say(database(), "Again");
    const { runId: edited } = await say(database(), "Once more", { branch: { afterRunId: first } });
    const claim = (afterRunId: string, count: number, id: string) =>
      claimFlush(database(), { id, threadId: "th1", afterRunId, count });
    expect([await claim(first, 0, "a"), await claim(second, 0, "b"), await claim(edited, 0, "c")]).toEqual([
      ...[true, false, false],
    ]);
    expect([await claim(second, 1, "d"), await claim(second, 1, "e"), await claim(edited, 1, "f")]).toEqual([
      ...[true, false, true],
    ]);
  });

  test("a process whose clock is ahead takes no lock that somebody holds, and unlocks none", async () => {
    await seedThread(database());
    expect(await lockThread(database(), "th1", 15_000)).not.toBeNull();
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 20_000);
    expect(await lockThread(database(), "th1", 15_000)).toBeNull();
    await unlockDeadThreads(database(), "expired", { endLateSpans: async () => undefined });
    expect((await database().thread.findUniqueOrThrow({ where: { id: "th1" } })).compactionOwner).not.toBeNull();
  });
});
