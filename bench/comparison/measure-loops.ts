import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { aiSdkLoop } from "../ai-sdk-loop";
import { bareFetchLoop } from "../bare-fetch";
import { runCalculation } from "../calculation";
import { openInstallation } from "../installation";
import { openThread, ringmasterRun } from "../ringmaster-loop";
import { startProvider } from "../scripted-provider";
import { type Contender, interleave, median } from "../statistics";

const STEPS = 25;

interface PeerOptions {
  readonly baseUrl: string;
  readonly history: readonly { readonly role: string; readonly content: string }[];
  calculate(input: { expression: string }): string;
  /** The file that what is stored goes to. */
  readonly database: string;
}

interface Peer {
  run(options: PeerOptions): Promise<unknown>;
  runStored?(options: PeerOptions): Promise<unknown>;
  countStored?(): Promise<number>;
}

/** A loop that takes part: the folder it was installed in, and whether it stores what happens. */
export interface PeerLoop {
  readonly name: string;
  readonly place: string;
  readonly isStored: boolean;
}

export interface LoopTime {
  readonly name: string;
  readonly msPerStep: number;
  readonly timesFetch: number;
  readonly cpuMsPerStep: number;
}

/** How long a loop that has ended is given for what it does afterwards, such as to store in batches. */
const SETTLE_MS = 1_500;

/**
 * The same 25 steps with one tool, streamed, in each loop: wall ms per step, the median of interleaved rounds, and the
 * median of its ratios to bare fetch; and the processor time of all threads per step, which other work on the machine
 * hardly changes. Throws if a loop that should store has stored nothing.
 */
export async function measureLoops(loops: readonly PeerLoop[], rounds: number): Promise<LoopTime[]> {
  const provider = await startProvider({ steps: STEPS, tokens: 20 });
  const installation = await openInstallation(provider);
  try {
    const input = { baseUrl: provider.baseUrl, history: [{ role: "user", content: "go" }] };
    const peers = await Promise.all(loops.map((loop) => openPeer(loop, input)));
    const contenders: Contender<string>[] = [
      { name: "bare `fetch`", prepare: nothing, run: () => bareFetchLoop(input) },
      { name: "AI SDK", prepare: nothing, run: () => aiSdkLoop(input) },
      { name: "Ringmaster", prepare: () => openThread(), run: (threadId) => ringmasterRun(threadId, "go") },
      ...peers.map(({ contender }) => contender),
    ];
    const times = await interleave(contenders, { warmUps: Math.ceil(rounds / 4), rounds });
    const cpuMs: number[] = [];
    for (const contender of contenders) cpuMs.push(await measureCpu(contender, Math.ceil(rounds / 3)));
    for (const { check } of peers) await check();
    const timeOf = ({ name }: Contender, index: number): LoopTime => {
      const own = times[index] ?? [];
      const ratios = own.map((time, round) => time / (times[0]?.[round] ?? Number.NaN));
      const cpuMsPerStep = (cpuMs[index] ?? Number.NaN) / STEPS;
      return { name, msPerStep: median(own) / STEPS, timesFetch: median(ratios), cpuMsPerStep };
    };
    return contenders.map(timeOf);
  } finally {
    await installation.close();
    provider.stop();
  }
}

const nothing = async () => "";

async function openPeer({ name, place, isStored }: PeerLoop, input: Pick<PeerOptions, "baseUrl" | "history">) {
  const peer = (await import(path.join(place, "loop.mjs"))) as Peer;
  const calculate = (asked: { expression: string }) => runCalculation(JSON.stringify(asked));
  const options = { ...input, calculate, database: path.join(place, "stored.db") };
  const run = isStored ? peer.runStored : peer.run;
  if (!run) throw new Error(`${name} has no such loop.`);
  return {
    contender: { name, prepare: nothing, run: () => run(options) },
    async check() {
      if (!isStored) return;
      const count = await peer.countStored?.();
      const isThere = existsSync(options.database) && statSync(options.database).size > 0;
      // The last step is the answer.
      const isWhole = isThere && count !== undefined && count >= STEPS - 1;
      if (!isWhole) throw new Error(`${name}: only ${count} of ${STEPS - 1} calls are in its file.`);
    },
  };
}

/** The processor time of a run, in ms, with what it leaves for later. */
async function measureCpu({ prepare, run }: Contender<string>, rounds: number): Promise<number> {
  await sleep(SETTLE_MS);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await run(await prepare());
  await sleep(SETTLE_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}
