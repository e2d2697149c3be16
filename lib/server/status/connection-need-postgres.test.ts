import { expect, onTestFinished, test } from "vitest";
import { PostgresNotifier } from "@/lib/server/engine/log/notify";
import { hasOtherProcesses, selectConnectionNeed } from "@/lib/server/platform/db/queries/dispatch/processes";
import { runDatabase } from "@/lib/testing/fixtures/run-fixture";
import { describeConnectionNeed } from "./connection-need";

const { database } = runDatabase();

async function startProcess(work: number) {
  const { url } = database();
  const notifier = new PostgresNotifier({ url, connections: { work, jobs: 4, notifier: 1 } });
  await notifier.start();
  onTestFinished(() => notifier.close());
}

test("says so once what all processes may open together exceeds what Postgres accepts", async () => {
  const before = await selectConnectionNeed(database());
  const free = (before?.accepted ?? 0) - (before?.wanted ?? 0);
  await startProcess(free - 5);
  expect(await describeConnectionNeed(database())).toBeNull();
  expect(await hasOtherProcesses(database())).toBe(false);
  await startProcess(1);
  const need = await selectConnectionNeed(database());
  expect(need).toEqual({ ...before, processes: (before?.processes ?? 0) + 2, wanted: (before?.accepted ?? 0) + 6 });
  expect(await describeConnectionNeed(database())).toBe(
    `The ${need?.processes} processes may open ${need?.wanted} connections, Postgres accepts ${need?.accepted}. Raise its max_connections, or lower RINGMASTER_DB_CONNECTIONS.`,
  );
  expect(await hasOtherProcesses(database())).toBe(true);
});
