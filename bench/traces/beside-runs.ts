import { monitorEventLoopDelay } from "node:perf_hooks";
import { processServices } from "@/lib/server/wiring/services";
import { addBenchAgents } from "../installation";
import { isTiny } from "../is-tiny";
import { sideQueries } from "./side-queries";

type Database = import("../../lib/server/platform/db/database").Database;

const RUNS_AT_ONCE = isTiny ? 3 : 100;
const WARM_UPS = isTiny ? 1 : 30;
/** The longest delay of the event loop, at the 99th percentile. */
const DELAY_BUDGET_MS = 30;

/** How long many runs hold up the event loop: by themselves, and while the side queries of the list are asked in turn. */
export async function measureBesideRuns(db: Database) {
  const { startProcessHost, stopProcessHost } = await import("../../lib/server/wiring/process-host");
  const { openThread, ringmasterRun } = await import("../ringmaster-loop");
  await addBenchAgents(db);
  await startProcessHost(processServices());
  try {
    for (let round = 0; round < WARM_UPS; round += 1) await ringmasterRun(await openThread(), "go");
    const runAll = async () => {
      const threads = await Promise.all(Array.from({ length: RUNS_AT_ONCE }, () => openThread()));
      return delayDuring(() => Promise.all(threads.map((threadId) => ringmasterRun(threadId, "go"))));
    };
    const alone = await runAll();
    const asker = askUntilStopped(await sideQueries());
    const beside = await runAll();
    const asked = await asker.stop();
    const name = `${RUNS_AT_ONCE} runs: the event loop's delay`;
    return [
      { name, budget: Number.POSITIVE_INFINITY, ...alone },
      { name: `${name}, beside ${asked} side queries`, budget: DELAY_BUDGET_MS, ...beside },
    ];
  } finally {
    await stopProcessHost(processServices());
  }
}

/** The event loop's delay in ms: its median, and as `p95` its 99th percentile. */
async function delayDuring(work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  const held = (percent: number) => Math.round(delay.percentile(percent) / 100_000) / 10;
  return { p50: held(50), p95: held(99) };
}

/** `stop` resolves to how many were answered. */
function askUntilStopped(queries: Awaited<ReturnType<typeof sideQueries>>) {
  let isStopped = false;
  const asking = (async () => {
    let asked = 0;
    for (; !isStopped; asked += 1) JSON.stringify(await queries[asked % queries.length]?.ask());
    return asked;
  })();
  return {
    stop: () => {
      isStopped = true;
      return asking;
    },
  };
}
