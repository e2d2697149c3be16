// npm run bench: prints a table and writes bench/results/<time>.json. Ratios are within one run; see quality.md's table
// in the project's design for what must hold.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { openInstallation } from "./installation";
import { measureDiskSync } from "./measure-disk";
import { measureConcurrentRuns, measureFirstToken, measureTokenCpu } from "./measure-load";
import { measureLoops } from "./measure-loop";
import { startProvider } from "./scripted-provider";

const STEPS = 25;
const TOKENS = 20_000;

const provider = await startProvider({ steps: STEPS, tokens: TOKENS });
const installation = await openInstallation(provider.baseUrl);
try {
  const loops = await measureLoops(provider.baseUrl, STEPS, 0);
  const longLoops = await measureLoops(provider.baseUrl, STEPS, 1_000);
  const results = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
    diskSyncMs: measureDiskSync(installation.directory),
    loops,
    loopsWith1000Messages: longLoops,
    cpuPerTokenUs: await measureTokenCpu(TOKENS),
    firstTokenMs: await measureFirstToken(provider.baseUrl, 1),
    firstTokenWith50RunsMs: await measureFirstToken(provider.baseUrl, 50),
    concurrent100: await measureConcurrentRuns(100),
  };
  console.log(results.machine, `· fdatasync ${results.diskSyncMs.toFixed(2)} ms`);
  console.table(loops);
  console.table(longLoops);
  const { cpuPerTokenUs, firstTokenMs, firstTokenWith50RunsMs, concurrent100 } = results;
  console.log("CPU per streamed token (µs)", cpuPerTokenUs.toFixed(2));
  console.table({ "first token, one run (ms)": firstTokenMs, "first token, 50 runs (ms)": firstTokenWith50RunsMs });
  console.table({ "100 concurrent runs": concurrent100 });
  mkdirSync(new URL("./results/", import.meta.url), { recursive: true });
  const file = new URL(`./results/${new Date().toISOString().replaceAll(":", "-")}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await installation.close();
  provider.stop();
}
