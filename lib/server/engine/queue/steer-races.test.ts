import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { scriptedModel } from "@/lib/models/scripted-model";
import { reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, history } = runDatabase();

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const STEERS = 8;

test.for([1, 2, 3])(
  "steers that come at any moment of a run are each read once, and by each run in the order in which they were stored (%i)",
  async (seed) => {
    await seedThread(database());
    const next = random(seed);
    let sent = 0;
    /** For each steer, the steers stored before its sending began. */
    const earlier = new Map<string, readonly string[]>();
    const stored: string[] = [];
    const steerNow = async () => {
      if (sent === STEERS) return;
      sent += 1;
      const text = `steer ${sent}`;
      earlier.set(`user: ${text}`, [...stored]);
      await say(database(), text, { steers: true });
      stored.push(`user: ${text}`);
    };
    const waiting: Promise<unknown>[] = [];
    /** At each call a steer is stored, is sent without waiting and may be overtaken, or is not sent. */
    const perhaps = async () => {
      const chance = next();
      if (chance < 0.4) await steerNow();
      else if (chance < 0.8) waiting.push(steerNow());
    };
    const look = defineTool({
      name: "look",
      description: "Looks",
      input: z.object({}),
      annotations: { readOnly: true },
      execute: async () => {
        await perhaps();
        return "seen";
      },
    });
    const step = async () => {
      await perhaps();
      return next() < 0.5 ? { calls: [{ name: "look", args: { n: next() } }] } : { text: "Answered." };
    };
    const afterAgent = { name: "late", afterAgent: perhaps };
    await startHost({
      model: scriptedModel(Array.from({ length: 200 }, () => step)),
      tools: [look],
      hooks: [afterAgent],
    });
    await say(database(), "Go");
    await reached(async () => {
      await Promise.all(waiting);
      if ((await database().run.count({ where: { endedAt: null } })) > 0) return false;
      if (sent < STEERS) await steerNow();
      return sent === STEERS && (await database().run.count({ where: { endedAt: null } })) === 0;
    });
    const said = (await history()).filter((line) => line.startsWith("user"));
    expect(said.toSorted()).toEqual(["user: Go", ...earlier.keys()].toSorted());
    const shown = await database().transcriptMessage.findMany({
      where: { role: "user" },
      orderBy: { position: "asc" },
    });
    expect(shown.map(({ text }) => `user: ${text}`)).toEqual(said);
    for (const read of Map.groupBy(shown, ({ runId }) => runId).values()) {
      const texts = read.map(({ text }) => `user: ${text}`);
      // Two that were in flight at once have no order.
      for (const [index, text] of texts.entries()) {
        const storedBefore = texts.filter((other) => earlier.get(text)?.includes(other));
        expect(texts.slice(0, index)).toEqual(expect.arrayContaining(storedBefore));
      }
    }
    expect(await database().run.count({ where: { status: { not: "completed" } } })).toBe(0);
  },
);
