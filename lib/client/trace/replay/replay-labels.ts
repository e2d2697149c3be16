import { formatCost } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { hasEnded } from "@/lib/schema/runs/run";
import type { Replay, ReplayCell, ReplayPlan, ReplayRow, ReplayTotal, ReplayWhy } from "@/lib/schema/traces/replay";
import { openRuns } from "./replay-queries";

export const WHY_LABELS: Readonly<Record<ReplayWhy, string>> = {
  same: "Same",
  change: "By the change",
  chance: "By chance",
  unknown: "Can't tell",
};

/** A sign without colour, and what it says. */
export const CELLS: Readonly<Record<ReplayCell, { readonly sign: string; readonly words: string }>> = {
  same: { sign: "=", words: "as recorded" },
  differs: { sign: "≠", words: "differs" },
  missing: { sign: "–", words: "not made" },
  new: { sign: "+", words: "new" },
  absent: { sign: "", words: "not made here either" },
  open: { sign: "", words: "not reached" },
};

interface Verdict {
  readonly title: string;
  readonly detail: string;
}

/** One sentence of what came of it, and one of chance. */
export function verdictOf(replay: Replay): Verdict {
  const { isUnchanged, same, runs, control } = replay;
  const left = openRuns(replay);
  const all = runs.length + (control?.runs.length ?? 0);
  if (left > 0) return { title: `${all - left} of ${countRuns(all)} ended`, detail: openText(replay) };
  const failed = runs.find(({ status }) => status === "failed");
  if (isUnchanged) return unchangedVerdict(same, failed?.error ?? null);
  return { title: titleOf(replay, failed?.error ?? null), detail: controlText(replay) };
}

/** How many runs of the replay and its control wait for a person. */
export function waitingRuns({ runs, control }: Replay): number {
  return [...runs, ...(control?.runs ?? [])].filter(({ status }) => status === "waiting").length;
}

function openText(replay: Replay): string {
  const waiting = waitingRuns(replay);
  if (waiting === 0) return "The columns fill as they end.";
  return waiting === 1 ? "1 run waits for your answer." : `${waiting} runs wait for your answers.`;
}

function unchangedVerdict({ runs, of }: Replay["same"], error: string | null): Verdict {
  const title = `Unchanged, ${runs} of ${countRuns(of)} made the recorded calls`;
  if (error === null) return { title, detail: "A replay of this run with a change is compared with this one." };
  return { title, detail: `The unchanged replay does not follow the recording: ${error}${remedy(error)}` };
}

/** What a replay that failed for want of a result could do instead. */
function remedy(error: string): string {
  return error.includes(" has no recorded result ") ? ". Let such calls run in the sandbox, or ask." : "";
}

function titleOf({ rows, runs, control }: Replay, error: string | null): string {
  if (runs.every(({ sameCalls, status }) => sameCalls === null && hasEnded(status))) return "No run ended by itself";
  const byChange = rows.filter(({ why }) => why === "change");
  const [first] = byChange;
  if (first) {
    const others = byChange.length - 1;
    const more = others === 0 ? "" : others === 1 ? ", and 1 more" : `, and ${others} more`;
    return `The change made a difference: ${placeText(first)}${more}`;
  }
  const differing = rows.filter(({ why }) => why !== "same");
  if (differing.length === 0) return error ?? "The change made no difference: the same calls and the same answer";
  if (control === null) return "Can't tell what the change did: there is no unchanged replay beside it";
  const isChance = differing.every(({ why }) => why === "chance");
  return isChance
    ? "What differs also differs without the change"
    : "Can't tell whether the change made the difference";
}

function controlText({ control, rows }: Replay): string {
  if (control === null) return "Replay the run unchanged as well to see what differs by chance.";
  const { same, runs } = control;
  const failed = runs.find(({ status }) => status === "failed");
  if (failed) {
    const error = failed.error ?? "it failed";
    return `The unchanged replay does not follow the recording: ${error}${remedy(error)}`;
  }
  const chance = rows.filter(({ why }) => why === "chance").length;
  const plain = `Unchanged, ${same.runs} of ${countRuns(same.of)} made the recorded calls.`;
  if (chance === 0) return plain;
  return `${plain} What differs there too is chance: ${chance === 1 ? "1 row" : `${chance} rows`}.`;
}

function placeText({ kind, step, tool, isRecorded, changed }: ReplayRow): string {
  if (kind === "answer") return "another answer";
  if (!isRecorded) return `${tool} is called in step ${step}`;
  return changed.includes("missing") ? `${tool} is not called in step ${step}` : `${tool} differs in step ${step}`;
}

function countRuns(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}

/** How many of each differ: "3 of 3, control 0 of 3". */
export function shareText({ unchanged, changed }: ReplayRow): string {
  const words = (cells: readonly ReplayCell[]) => {
    const ended = cells.filter((cell) => cell !== "open");
    return `${ended.filter((cell) => cell !== "same" && cell !== "absent").length} of ${ended.length}`;
  };
  if (changed.length === 0) return words(unchanged);
  return unchanged.length === 0 ? `${words(changed)}, no control` : `${words(changed)}, control ${words(unchanged)}`;
}

export function totalText({ what }: ReplayTotal): string {
  return what === "cost" ? "Cost" : "Worked";
}

/** A figure of a total, or the range of several. */
export function rangeText({ what }: ReplayTotal, range: ReplayTotal["changed"]): string {
  if (range === null) return "";
  const [from, to] = [figureText(what, range.from), figureText(what, range.to)];
  return from === to ? from : `${from}–${to}`;
}

export function figureText(what: ReplayTotal["what"], value: number | null): string {
  if (value === null) return "unknown";
  return what === "cost" ? formatCost(value) : formatDuration(value);
}

/** What all runs of a replay may cost and take, from what the recording's share of steps did. */
export function estimateText({ steps, costUsd, workedMs }: ReplayPlan, fromStep: number, runs: number): string {
  const share = Math.max(1, steps - fromStep + 1) / Math.max(1, steps);
  const cost = costUsd === null ? null : `about ${formatCost(costUsd * share * runs)}`;
  const time = workedMs === null ? null : formatDuration(workedMs * share);
  const facts = [cost, time === null ? null : `${time} each`].flatMap((fact) => fact ?? []);
  return [countRuns(runs), ...facts].join(", ");
}
