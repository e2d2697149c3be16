// npm run bench:peers [-- --release FILE --rest 120 --rounds 21 --record]: Ringmaster beside others: the same loop's speed, what it
// stores, the size of an installation and its memory at rest. Each is installed from npm into a temporary folder, in the
// exact versions of bench/peers. Ringmaster's own release is packed unless `--release` names one. `--record` writes the
// figures to bench/peers/figures.json and into the README and docs/design/performance.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "../../scripts/project-directory";
import { installRelease } from "../memory/released-server";
import { buildMastra, installPeer, sizeInMegabytes } from "./install-peers";
import { type LoopTime, measureLoops } from "./measure-loops";
import { measureRest, restingLoop, restingMastra, restingRelease } from "./measure-rest";
import { type PeerFigures, type PeerPlace, peerConditions, peerTable, withPeerTable } from "./peer-figures";

const { values } = parseArgs({
  options: {
    release: { type: "string" },
    rest: { type: "string", default: "120" },
    rounds: { type: "string", default: "21" },
    record: { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-peers-"));
try {
  const figures = await measure(folder);
  console.log(`\n${peerTable(figures)}\n\n${peerConditions(figures)}`);
  if (values.record) record(figures);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(place: string): Promise<PeerFigures> {
  const openai = installPeer("openai-agents", place);
  const deepagents = installPeer("deepagents", place);
  const mastra = installPeer("mastra", place);
  const output = buildMastra(mastra);
  installRelease(place, values.release);
  const names = {
    openai: `OpenAI Agents ${versionIn(openai, "@openai/agents")}`,
    mastra: `Mastra ${versionIn(mastra, "@mastra/core")}`,
    deepagents: `deepagents ${versionIn(deepagents, "deepagents")}`,
  };
  const [load = 0] = loadavg();
  const times = await measureLoops(
    [
      { name: names.openai, place: openai, isStored: false },
      { name: names.mastra, place: mastra, isStored: false },
      { name: `${names.mastra}, stored`, place: mastra, isStored: true },
      { name: names.deepagents, place: deepagents, isStored: false },
      { name: `${names.deepagents}, stored`, place: deepagents, isStored: true },
    ],
    Number(values.rounds),
  );
  const rest = await measureRest(
    [
      { name: "Ringmaster", start: () => restingRelease(place) },
      { name: `${names.mastra}, stored`, start: () => restingMastra(output) },
      { name: names.openai, start: () => restingLoop(openai) },
      { name: `${names.deepagents}, stored`, start: () => restingLoop(deepagents) },
    ],
    Number(values.rest),
  );
  const installed = new Map([
    ["Ringmaster", sizeInMegabytes(path.join(place, "node_modules"))],
    [`${names.mastra}, stored`, sizeInMegabytes(output)],
    [names.openai, sizeInMegabytes(path.join(openai, "node_modules"))],
    [`${names.deepagents}, stored`, sizeInMegabytes(path.join(deepagents, "node_modules"))],
  ]);
  const stored = new Map([
    ["Ringmaster", "messages, every event, a trace"],
    [`${names.mastra}, stored`, "messages (LibSQL)"],
    [`${names.deepagents}, stored`, "checkpoints (SQLite)"],
  ]);
  return {
    measuredAt: new Date().toISOString(),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown CPU"}`,
    node: process.version.slice(1),
    load,
    restSeconds: Number(values.rest),
    places: times.map((time) => placeOf(time, { installed, rest, stored })),
  };
}

interface Measured {
  readonly installed: ReadonlyMap<string, number>;
  readonly rest: ReadonlyMap<string, number>;
  readonly stored: ReadonlyMap<string, string>;
}

function placeOf(
  { name, msPerStep, timesFetch, cpuMsPerStep }: LoopTime,
  { installed, rest, stored }: Measured,
): PeerPlace {
  return {
    name: name === "AI SDK" ? `AI SDK ${versionIn(projectDirectory, "ai")}` : name.replace(/, stored$/, ""),
    stores: stored.get(name) ?? "",
    msPerStep: Number(msPerStep.toPrecision(3)),
    timesFetch: Number(timesFetch.toPrecision(3)),
    cpuMsPerStep: Number(cpuMsPerStep.toPrecision(3)),
    installedMb: installed.get(name) ?? null,
    restMb: rest.get(name) ?? null,
  };
}

/** The first two numbers of an installed version. */
function versionIn(place: string, name: string): string {
  const { version } = JSON.parse(readFileSync(path.join(place, "node_modules", name, "package.json"), "utf8"));
  return String(version).split(".").slice(0, 2).join(".");
}

function record(figures: PeerFigures): void {
  writeFileSync(path.join(projectDirectory, "bench/peers/figures.json"), `${JSON.stringify(figures, null, 2)}\n`);
  for (const file of ["README.md", "docs/design/performance.md"]) {
    const place = path.join(projectDirectory, file);
    writeFileSync(place, withPeerTable(readFileSync(place, "utf8"), figures));
  }
}
