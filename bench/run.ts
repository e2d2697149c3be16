// npm run bench: prints a table of figures with their limits and writes bench/results/<time>.json. Ratios are within
// one run, and each is the median of interleaved rounds; warm-ups are not counted.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { type Figure, isMet, printFigures } from "./figures";
import { openInstallation } from "./installation";
import { measureDiskSync } from "./measure/measure-disk";
import { measureFirstToken, measureFirstTokenBeside, measureFirstTokenOfBurst } from "./measure/measure-first-token";
import { measureConcurrentRuns, measureTokenCpu } from "./measure/measure-load";
import { historyFactor, measureLoops, ratioOf } from "./measure/measure-loop";
import { measureRecorder, measureStoredContent } from "./measure/measure-traces";
import { startProvider } from "./scripted-provider";

const STEPS = 25;
const TOKENS = 20_000;

const provider = await startProvider({ steps: STEPS, tokens: TOKENS });
const installation = await openInstallation(provider);
try {
  const results = await measure();
  const figures = figuresOf(results);
  console.log(results.machine, `· fdatasync ${results.diskSyncMs.toFixed(2)} ms`);
  console.table(results.loops);
  console.table(results.loopsWith1000Messages);
  console.table({
    "first token (ms)": results.firstTokenMs,
    "beside 50 streaming runs": results.firstTokenBeside50Ms,
    "50 runs at once": results.firstTokenOfBurstMs,
  });
  console.table({ "100 runs at once": results.concurrent100 });
  printFigures(figures);
  mkdirSync(new URL("./results/", import.meta.url), { recursive: true });
  const file = new URL(`./results/${new Date().toISOString().replaceAll(":", "-")}.json`, import.meta.url);
  const judged = figures.map((figure) => ({ ...figure, isMet: isMet(figure) }));
  writeFileSync(file, `${JSON.stringify({ ...results, figures: judged }, null, 2)}\n`);
} finally {
  await installation.close();
  provider.stop();
}

async function measure() {
  const { baseUrl } = provider;
  return {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
    diskSyncMs: measureDiskSync(installation.directory),
    loops: await measureLoops(baseUrl, { steps: STEPS, historyLength: 0 }, { warmUps: 20, rounds: 31 }),
    loopsWith1000Messages: await measureLoops(
      baseUrl,
      { steps: STEPS, historyLength: 1_000 },
      { warmUps: 3, rounds: 11 },
    ),
    cpuPerTokenUs: await measureTokenCpu(TOKENS),
    firstTokenMs: await measureFirstToken(baseUrl),
    firstTokenBeside50Ms: await measureFirstTokenBeside(baseUrl, 50),
    firstTokenOfBurstMs: await measureFirstTokenOfBurst(baseUrl, 50),
    recorderMs: await measureRecorder(),
    storedContent: await measureStoredContent(),
    concurrent100: await measureConcurrentRuns(provider),
  };
}

function figuresOf(results: Awaited<ReturnType<typeof measure>>): Figure[] {
  const { loops, concurrent100: load } = results;
  const most = (what: string, value: number, limit: number, unit: string): Figure => {
    return { what, value, limit, unit, bound: "most" };
  };
  return [
    most("25-step loop against bare fetch", ratioOf(loops, "Ringmaster"), 3.5, "×"),
    most("the same with NORMAL throughout", ratioOf(loops, "Ringmaster, NORMAL throughout"), 2.8, "×"),
    most("1,000 messages per step, against bare fetch", historyFactor(loops, results.loopsWith1000Messages), 1.5, "×"),
    most("CPU per streamed token", results.cpuPerTokenUs, 12, "µs"),
    most("first token, one run, p50", results.firstTokenMs.p50, 5, "ms"),
    most("first token beside 50 streaming runs, p95", results.firstTokenBeside50Ms.p95, 20, "ms"),
    most("100 runs, peak RSS above idle", load.rssMb, 250, "MB"),
    most("100 runs, event loop delay p99", load.delayP99Ms, 50, "ms"),
    most("recorder per span on the hot path, p99", results.recorderMs, 0.1, "ms"),
    {
      what: "50-step run, stored against copied",
      value: results.storedContent.timesSmaller,
      limit: 20,
      unit: "×",
      bound: "least",
    },
  ];
}
