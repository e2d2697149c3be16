import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { runDatabase } from "@/lib/testing/fixtures/run-fixture";
import { withChildren } from "./follow-children";

const { database } = runDatabase();

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a stream keeps nothing of what it has sent", async () => {
  const sent: WeakRef<StoredRunEvent>[] = [];
  async function* source() {
    for (let seq = 1; seq <= 20; seq += 1) {
      const row: StoredRunEvent = { runId: "run_1", seq, at: 0, event: { type: "text.delta", step: 1, delta: "a" } };
      sent.push(new WeakRef(row));
      yield [row];
    }
  }
  let count = 0;
  for await (const batch of withChildren(database(), source())) if ("rows" in batch) count += 1;
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect([count, sent.slice(0, -1).filter((row) => row.deref()).length]).toEqual([20, 0]);
});
