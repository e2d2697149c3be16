import { processServices } from "@/lib/server/wiring/services";
import { cancelRun } from "../../lib/server/engine/ending/cancel";
import { bareFetchLoop } from "../bare-fetch";
import { openThread, ringmasterRun } from "../ringmaster-loop";
import { median, percentile } from "../statistics";

const ROUNDS = 80;
const WARM_UPS = 60;

/** Time to our first text minus bare fetch's time for its whole (tiny) reply, measured in turns; ms. */
export async function measureFirstToken(baseUrl: string) {
  const floors: number[] = [];
  const firsts: number[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await bareFetchLoop({ baseUrl, history: [{ role: "user", content: "hello" }] });
    const floorMs = performance.now() - startedAt;
    const { firstTextMs } = await ringmasterRun(await openThread(), "hello");
    if (round < 0) continue;
    floors.push(floorMs);
    firsts.push(firstTextMs);
  }
  return added(firsts, median(floors));
}

/** The same while `streaming` other runs receive a piece of text every 20 ms each. */
export async function measureFirstTokenBeside(baseUrl: string, streaming: number) {
  const others = await startStreaming(streaming);
  try {
    return await measureFirstToken(baseUrl);
  } finally {
    await others.stop();
  }
}

/** The same for `count` runs started at the same moment, which all compete with each other. */
export async function measureFirstTokenOfBurst(baseUrl: string, count: number) {
  const floors: number[] = [];
  const firsts: number[] = [];
  const ask = async () => {
    const startedAt = performance.now();
    await bareFetchLoop({ baseUrl, history: [{ role: "user", content: "hello" }] });
    floors.push(performance.now() - startedAt);
  };
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: count }, ask));
    const threads = await Promise.all(Array.from({ length: count }, () => openThread()));
    const runs = await Promise.all(threads.map((threadId) => ringmasterRun(threadId, "hello")));
    firsts.push(...runs.map((run) => run.firstTextMs));
  }
  return added(firsts, median(floors));
}

/** Our overhead; `floor` is the reply by bare fetch, which shows how fast the machine was meanwhile. */
function added(firsts: readonly number[], floor: number) {
  return { p50: percentile(firsts, 0.5) - floor, p95: percentile(firsts, 0.95) - floor, floor };
}

/** Resolves once every run has begun to stream. */
async function startStreaming(count: number) {
  const runIds: string[] = [];
  const runs: Promise<unknown>[] = [];
  const begun = Array.from({ length: count }, async () => {
    const threadId = await openThread([], "paced");
    await new Promise<void>((resolve, reject) => {
      const onFirstText = (_: number, runId: string) => {
        runIds.push(runId);
        resolve();
      };
      runs.push(ringmasterRun(threadId, "stream", { agentId: "paced", onFirstText }).catch(reject));
    });
  });
  await Promise.all(begun);
  return {
    async stop() {
      for (const runId of runIds) await cancelRun(processServices().database, runId, "u1");
      await Promise.all(runs);
    },
  };
}
