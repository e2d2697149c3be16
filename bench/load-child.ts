// 100 runs of 25 steps at once in a fresh process, after a warm-up: their memory use and how long they block the event
// loop. Receives the provider's addresses; sends the figures to its parent.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openInstallation } from "./installation";
import { openThread, ringmasterRun } from "./ringmaster-loop";
import { percentile } from "./statistics";

/** `rssMb` above idle, `delayP99Ms` of the event loop. */
export interface LoadFigures {
  readonly rssMb: number;
  readonly idleMb: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly wallMs: number;
  readonly firstTextP95Ms: number;
}

const WARM_UPS = 30;
const COUNT = 100;

const [baseUrl = "", pacedUrl = ""] = process.argv.slice(2);
const installation = await openInstallation({ baseUrl, pacedUrl });
for (let round = 0; round < WARM_UPS; round += 1) await ringmasterRun(await openThread(), "go");
const figures = await measure();
await installation.close();
process.send?.(figures, () => process.exit(0));

async function measure(): Promise<LoadFigures> {
  const threads = await Promise.all(Array.from({ length: COUNT }, () => openThread()));
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const runs = await Promise.all(threads.map((threadId) => ringmasterRun(threadId, "go")));
  const wallMs = performance.now() - startedAt;
  delay.disable();
  clearInterval(sampler);
  const firsts = runs.map(({ firstTextMs }) => firstTextMs);
  return {
    rssMb: (peak - idle) / 2 ** 20,
    idleMb: idle / 2 ** 20,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
    wallMs,
    firstTextP95Ms: percentile(firsts, 0.95),
  };
}
