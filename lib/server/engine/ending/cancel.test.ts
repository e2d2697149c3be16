import { expect, test } from "vitest";
import { claimRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { endUnclaimedRun } from "./cancel";

const { database, statusOf } = runDatabase();

test.each([
  { kind: "cancelled", by: "u1" },
  { kind: "undecided", by: "u1", why: "cancelled" },
] as const)("a run that a process has claimed since is left to that process: $kind", async (reason) => {
  await seedThread(database());
  const { runId } = await say(database(), "Hello");
  await claimRun(database(), { runId, owner: "host_1", isRetry: false });
  expect(await endUnclaimedRun(database(), runId, reason)).toBe(false);
  expect(await statusOf(runId)).toBe("running");
});
