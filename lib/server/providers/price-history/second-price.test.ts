import { afterEach, beforeEach, expect, test } from "vitest";
import { addAgent, addThread, say } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { fillPriceHistory, getPriceHistory, schedulePriceHistory } from "./price-history";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

test("a second price, added while the first one is being applied, is applied afterwards to every old run", async () => {
  const { database } = server;
  await addAgent(database, "agent", { name: "Coder", model: "own:m" });
  await addThread(database, "th1", { ownerId: "member" });
  const { runId } = await say(database, "hi", { threadId: "th1" });
  await database.run.update({
    where: { id: runId },
    data: { status: "completed", endedAt: new Date(), costUsd: null, isUsagePartial: true },
  });
  await schedulePriceHistory(server.database);
  const { startedAt } = await getPriceHistory(server.database);
  let rests = 0;
  const pace = {
    async rest() {
      rests += 1;
      // The clock that tells the requests apart counts milliseconds.
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(startedAt ?? ""));
      if (rests === 1) await schedulePriceHistory(server.database);
      return true;
    },
  };
  await fillPriceHistory(server.services, pace);
  expect(rests).toBe(1);
  expect(await getPriceHistory(server.database)).toMatchObject({ state: "running", endedAt: null, total: 1 });
  await fillPriceHistory(server.services, { rest: async () => true });
  expect(await getPriceHistory(server.database)).toMatchObject({ state: "idle", looked: 1 });
});
