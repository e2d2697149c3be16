import { z } from "zod";

const Place = z.object({
  /** As the table names it. */
  name: z.string(),
  /** What a run leaves behind in a file; empty for nothing. */
  stores: z.string(),
  /** Wall ms per step of the loop, and how many times that of bare `fetch`. */
  msPerStep: z.number(),
  timesFetch: z.number(),
  /** Milliseconds of processor time per step. */
  cpuMsPerStep: z.number(),
  /** Megabytes (a million bytes) that an installation takes, and that its process has in RAM; null for none of its own. */
  installedMb: z.number().nullable(),
  restMb: z.number().nullable(),
});

/** What `npm run bench:peers` measured, and on what. */
export const PeerFigures = z.object({
  measuredAt: z.iso.datetime(),
  machine: z.string(),
  node: z.string(),
  /** The load (of one minute) when it began. */
  load: z.number(),
  restSeconds: z.number(),
  places: z.array(Place),
});
export type PeerFigures = z.infer<typeof PeerFigures>;
export type PeerPlace = z.infer<typeof Place>;

/** The figures as a table in Markdown, as printed and as in the README. */
export function peerTable({ places }: PeerFigures): string {
  const head = ["", "ms per step", "CPU ms", "× `fetch`", "Stores", "Installed", "At rest"];
  const rows = places.map(({ name, msPerStep, cpuMsPerStep, timesFetch, stores, installedMb, restMb }) => [
    ...[name, msPerStep.toFixed(1), cpuMsPerStep.toFixed(1), timesFetch.toFixed(1), stores || "nothing"],
    ...[installedMb, restMb].map((megabytes) => (megabytes === null ? "–" : `${megabytes} MB`)),
  ]);
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`.replace("|  |", "| |"))
    .join("\n");
}

/** Where and when they were measured, as a sentence. */
export function peerConditions({ measuredAt, machine, node, load, restSeconds }: PeerFigures): string {
  const day = measuredAt.slice(0, 10);
  return `Measured on ${day}: ${machine}, Node ${node}, load ${load.toFixed(1)} when it began; memory ${restSeconds} s after the first request.`;
}

const BEGIN = "<!-- npm run bench:peers -->";
const END = "<!-- end of npm run bench:peers -->";

/** The text with what stands between the two marks replaced. Throws an Error if they are missing. */
export function withPeerTable(text: string, figures: PeerFigures): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`There is no ${BEGIN} with an end.`);
  const section = `${BEGIN}\n\n${peerTable(figures)}\n\n${peerConditions(figures)}\n\n`;
  return text.slice(0, begin) + section + text.slice(end);
}
