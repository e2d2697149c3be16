import { fork } from "node:child_process";
import { once } from "node:events";
import type { LoadFigures } from "../load-child";
import { openThread, ringmasterRun } from "../ringmaster-loop";
import type { ProviderAddresses } from "../scripted-provider";
import { median } from "../statistics";

/** CPU of this process per streamed token, from the provider's bytes to the browser's; µs. */
export async function measureTokenCpu(tokens: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const threadId = await openThread();
    const before = process.cpuUsage();
    await ringmasterRun(threadId, "tokens");
    const { user, system } = process.cpuUsage(before);
    if (round > 0) samples.push((user + system) / tokens);
  }
  return median(samples);
}

/** 100 runs of 25 steps at once, in a fresh process. */
export async function measureConcurrentRuns({ baseUrl, pacedUrl }: ProviderAddresses): Promise<LoadFigures> {
  const child = fork(new URL("../load-child.ts", import.meta.url), [baseUrl, pacedUrl]);
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`The process with the 100 runs ended with ${code}.`);
  });
  const [figures] = (await Promise.race([once(child, "message"), failed])) as [LoadFigures];
  failed.catch(() => undefined);
  return figures;
}
