import { expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import type { Database } from "@/lib/server/platform/db/database";
import { reached, runDatabase, say, seedThread, testHost } from "@/lib/testing/fixtures/run-fixture";

const { database } = runDatabase();

/** The database, until the end of a run is stored: then it is away. */
function awayAfterEnding(real: Database): Database {
  let isAway = false;
  const away = () => Promise.reject(new Error("The database is away."));
  return new Proxy(real, {
    get(target, name) {
      if (name === "runAll") {
        return async (...args: Parameters<Database["runAll"]>) => {
          if (isAway) return away();
          const rows = await target.runAll(...args);
          isAway = args[0].some(({ sql }) => sql.startsWith(`update "run" set`) && sql.includes(`"endedAt"`));
          return rows;
        };
      }
      return isAway && name === "execute" ? away : Reflect.get(target, name);
    },
  });
}

test("what follows a run is stored with its end, so a database that is away just then does not drop it", async () => {
  await seedThread(database());
  const followed: string[] = [];
  const afterRun = async (runId: string) => void followed.push(runId);
  const model = scriptedModel(["Hello."]);
  const cut = testHost(awayAfterEnding(database()), { model, afterRun: () => Promise.reject(new Error("away")) });
  await cut.start();
  const { runId } = await say(database(), "Hi");
  await reached(async () => (await database().run.findUniqueOrThrow({ where: { id: runId } })).endedAt !== null);
  await cut.stop().catch(() => undefined);
  await database().raw(`update "timer" set "at" = $1`, [new Date(0)]);
  const next = testHost(database(), { model, afterRun });
  await next.start();
  await reached(() => followed.length > 0);
  expect(followed).toEqual([runId]);
  await next.stop();
});
