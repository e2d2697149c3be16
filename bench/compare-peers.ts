// npm run bench:peers: the same loop in other frameworks, compared with bare fetch and Ringmaster. They stream and
// store nothing; Ringmaster streams, stores every step and records a trace. Their packages are in bench/peers; the
// first run installs them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { aiSdkLoop } from "./ai-sdk-loop";
import { bareFetchLoop } from "./bare-fetch";
import { runCalculation } from "./calculation";
import { openInstallation } from "./installation";
import type { LoopOptions } from "./loop-options";
import { openThread, ringmasterRun } from "./ringmaster-loop";
import { startProvider } from "./scripted-provider";
import { interleave, median } from "./statistics";

const STEPS = 25;
const PEERS = { "OpenAI Agents": "openai-agents", deepagents: "deepagents", Mastra: "mastra" } as const;
const FOLDER = fileURLToPath(new URL("./peers/", import.meta.url));

interface Peer {
  run(options: LoopOptions & { calculate(input: { expression: string }): string }): Promise<unknown>;
}

installPeers();
const provider = await startProvider({ steps: STEPS, tokens: 20 });
const installation = await openInstallation(provider);
try {
  const rows = await measure();
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}`);
  console.table(rows);
  mkdirSync(new URL("./results/", import.meta.url), { recursive: true });
  const file = new URL(`./results/peers-${new Date().toISOString().replaceAll(":", "-")}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  await installation.close();
  provider.stop();
}

/** Exactly the versions in their lock file; none of their install scripts runs. */
function installPeers(): void {
  if (existsSync(`${FOLDER}node_modules`)) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: FOLDER, stdio: "inherit" });
  if (status !== 0) throw new Error("The packages of bench/peers could not be installed.");
}

/** Wall ms per step, the median of interleaved rounds, and the median of its ratios to bare fetch. */
async function measure() {
  const input = { baseUrl: provider.baseUrl, history: [{ role: "user", content: "go" }] };
  const nothing = async () => "";
  const peers = Object.entries(PEERS).map(async ([name, file]) => {
    const { run } = (await import(`${FOLDER}${file}.mjs`)) as Peer;
    const calculate = (asked: { expression: string }) => runCalculation(JSON.stringify(asked));
    return { name, prepare: nothing, run: () => run({ ...input, calculate }) };
  });
  const contenders = [
    { name: "bare fetch", prepare: nothing, run: () => bareFetchLoop(input) },
    { name: "AI SDK loop", prepare: nothing, run: () => aiSdkLoop(input) },
    { name: "Ringmaster", prepare: () => openThread(), run: (threadId: string) => ringmasterRun(threadId, "go") },
    ...(await Promise.all(peers)),
  ];
  const times = await interleave(contenders, { warmUps: 10, rounds: 21 });
  const floor = times[0] ?? [];
  return contenders.map(({ name }, index) => {
    const own = times[index] ?? [];
    const multiples = own.map((time, round) => time / (floor[round] ?? Number.NaN));
    return { name, msPerStep: median(own) / STEPS, timesBareFetch: median(multiples) };
  });
}
