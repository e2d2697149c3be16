import { monitorEventLoopDelay } from "node:perf_hooks";
import { bareFetchLoop } from "./bare-fetch";
import { openThread, ringmasterRun } from "./ringmaster-loop";
import { median, percentile } from "./statistics";

/** CPU of this process per streamed token, from the provider's bytes to the browser's; µs. */
export async function measureTokenCpu(tokens: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const threadId = await openThread([]);
    const before = process.cpuUsage();
    await ringmasterRun(threadId, "tokens");
    const { user, system } = process.cpuUsage(before);
    if (round > 0) samples.push((user + system) / tokens);
  }
  return median(samples);
}

/** First text out minus what bare fetch needs for its whole (tiny) reply; ms. */
export async function measureFirstToken(baseUrl: string, concurrent: number) {
  const samples: number[] = [];
  const floor = await timeBareFetch(baseUrl, concurrent);
  for (let round = 0; round < Math.ceil(100 / concurrent); round += 1) {
    const threads = await Promise.all(Array.from({ length: concurrent }, () => openThread([])));
    const runs = await Promise.all(threads.map((threadId) => ringmasterRun(threadId, "hello")));
    if (round > 0 || concurrent > 1) samples.push(...runs.map((run) => run.firstTextMs - floor));
  }
  return { p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) };
}

async function timeBareFetch(baseUrl: string, concurrent: number): Promise<number> {
  const times: number[] = [];
  const ask = async () => {
    const startedAt = performance.now();
    await bareFetchLoop({ baseUrl, history: [{ role: "user", content: "hello" }] });
    times.push(performance.now() - startedAt);
  };
  for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: concurrent }, ask));
  return median(times);
}

/** Many runs of 25 steps at once: peak memory above idle (MB), event loop delay p99 (ms), wall (ms). */
export async function measureConcurrentRuns(count: number) {
  const threads = await Promise.all(Array.from({ length: count }, () => openThread([])));
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  await Promise.all(threads.map((threadId) => ringmasterRun(threadId, "go")));
  const wallMs = performance.now() - startedAt;
  delay.disable();
  clearInterval(sampler);
  return { peakMb: (peak - idle) / 2 ** 20, delayP99Ms: delay.percentile(99) / 1e6, wallMs };
}
