import { expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { countStatements } from "@/lib/testing/databases/count-statements";
import { eventsToEnd, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost } = runDatabase();

const NEXT_OF_THREAD = /^select "q"\."id", "q"\."ownerId", "q"\."segment" from "run" as "q"/;

test("the next run of a thread is looked for once when one ends, whoever ends it", async () => {
  await seedThread(database());
  const host = await startHost({ model: scriptedModel(["Done."]) });
  const count = countStatements();
  const looks = () => count().statements.filter((text) => NEXT_OF_THREAD.test(text)).length;
  await eventsToEnd(database(), (await say(database(), "one")).runId);
  await host.stop();
  expect(looks()).toBe(1);
  await cancelRun(database(), (await say(database(), "two")).runId, "u1");
  expect(looks()).toBe(1);
});
