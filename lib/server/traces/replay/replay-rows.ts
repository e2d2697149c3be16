import type { ComparedCall, ComparedStep } from "@/lib/schema/traces/compare-runs";
import type { ReplayCell, ReplayRow, ReplayTotal, ReplayWhy } from "@/lib/schema/traces/replay";

/** A replay's run beside the recording: `a` of each step is the recording's; null until the run has ended. */
export interface ComparedReplay {
  readonly steps: readonly ComparedStep[];
  /** Its last answer, and whether it is the recorded one. */
  readonly hasAnswer: boolean;
  readonly sameAnswer: boolean;
  /** The step in which it failed; what came after in the recording says nothing about it. */
  readonly failedAt: number | null;
}

type MaybeEnded = ComparedReplay | null;

interface Recording {
  /** Steps of the recording alone, from the replay's first on. */
  readonly steps: readonly ComparedStep[];
  readonly hasAnswer: boolean;
}

/** Whether the run made the recorded calls, in their order, in the recorded steps. */
export function madeSameCalls({ steps }: ComparedReplay): boolean {
  return steps.every(
    ({ a, b, calls, isReordered }) =>
      a !== null && b !== null && !isReordered && calls.every((call) => call.a && call.b && call.args.same),
  );
}

/**
 * One row per call of the recording, in order; in each step followed by the calls that only runs made; last the answer.
 */
export function replayRows(
  recording: Recording,
  unchanged: readonly MaybeEnded[],
  changed: readonly MaybeEnded[],
): ReplayRow[] {
  const all = [...unchanged, ...changed];
  const rows = stepsOf(recording, all).flatMap((step): ReplayRow[] => {
    const recorded = recording.steps.find((one) => one.step === step)?.calls ?? [];
    const reached = (cellOf: (run: ComparedReplay) => ReplayCell) => (run: ComparedReplay) =>
      isReached(run, step) ? cellOf(run) : "open";
    const own = recorded.map((call) =>
      row(
        step,
        call,
        reached((run) => cellOfCall(run, step, call)),
      ),
    );
    const more = newCalls(step, all).map(([key, call]) =>
      row(
        step,
        call,
        reached((run) => cellOfNew(run, step, key)),
      ),
    );
    return [...own, ...more];
  });
  const last = recording.steps.at(-1)?.step ?? 1;
  return recording.hasAnswer ? [...rows, answerRow(last)] : rows;

  function cells(cellOf: (run: ComparedReplay) => ReplayCell) {
    const read = (run: MaybeEnded) => (run === null ? "open" : cellOf(run));
    const [plain, other] = [unchanged.map(read), changed.map(read)];
    return { unchanged: plain, changed: other, why: whyOf(plain, other) };
  }

  function row(step: number, { tool, a, b }: ComparedCall, cellOf: (run: ComparedReplay) => ReplayCell): ReplayRow {
    return { step, kind: "call", tool, gist: (a ?? b)?.gist ?? "", isRecorded: a !== null, ...cells(cellOf) };
  }

  function answerRow(step: number): ReplayRow {
    const found = cells(({ hasAnswer, sameAnswer, failedAt }) => {
      if (failedAt !== null) return "open";
      if (sameAnswer) return "same";
      return hasAnswer ? "differs" : "missing";
    });
    return { step, kind: "answer", tool: "", gist: "", isRecorded: true, ...found };
  }
}

function isReached({ failedAt }: ComparedReplay, step: number): boolean {
  return failedAt === null || step <= failedAt;
}

function stepsOf(recording: Recording, runs: readonly MaybeEnded[]): number[] {
  const all = [recording, ...runs].flatMap((one) => one?.steps.map(({ step }) => step) ?? []);
  return [...new Set(all)].toSorted((one, other) => one - other);
}

function callsAt(run: MaybeEnded, step: number): readonly ComparedCall[] {
  return run?.steps.find((one) => one.step === step)?.calls ?? [];
}

function cellOfCall(run: ComparedReplay, step: number, { a }: ComparedCall): ReplayCell {
  const found = callsAt(run, step).find((call) => call.a?.toolCallId === a?.toolCallId);
  if (!found?.b) return "missing";
  return found.args.same ? "same" : "differs";
}

/** The calls of a step that the recording has not, each named by what it is and which of the same ones of its run. */
function keyed(run: MaybeEnded, step: number): [string, ComparedCall][] {
  const seen = new Map<string, number>();
  return callsAt(run, step)
    .filter(({ a }) => a === null)
    .map((call) => {
      const name = `${call.tool} ${call.args.b}`;
      const place = (seen.get(name) ?? 0) + 1;
      seen.set(name, place);
      return [`${place} ${name}`, call];
    });
}

function newCalls(step: number, runs: readonly MaybeEnded[]): [string, ComparedCall][] {
  return [...new Map(runs.flatMap((run) => keyed(run, step)))];
}

function cellOfNew(run: ComparedReplay, step: number, key: string): ReplayCell {
  return keyed(run, step).some(([name]) => name === key) ? "new" : "absent";
}

const AS_RECORDED: readonly ReplayCell[] = ["same", "absent"];

/** Of runs that have ended. Without unchanged runs nobody can say why changed ones differ. */
export function whyOf(unchanged: readonly ReplayCell[], changed: readonly ReplayCell[]): ReplayWhy {
  const [plain, other] = [unchanged, changed].map((cells) => cells.filter((cell) => cell !== "open"));
  const differing = (cells: readonly ReplayCell[] = []) => cells.filter((cell) => !AS_RECORDED.includes(cell)).length;
  const [chance, change] = [differing(plain), differing(other)];
  const [controls, runs] = [plain?.length ?? 0, other?.length ?? 0];
  if (chance + change === 0) return changed.length > 0 && runs === 0 ? "unknown" : "same";
  if (controls === 0) return "unknown";
  if (runs === 0) return "chance";
  if (change === runs && chance === 0) return "change";
  return chance > 0 && chance * runs >= change * controls ? "chance" : "unknown";
}

interface Figures {
  readonly what: ReplayTotal["what"];
  readonly recorded: number | null;
  readonly unchanged: readonly (number | null)[];
  readonly changed: readonly (number | null)[];
}

/** Ranges of a figure; unknown values are left out. */
export function totalOf({ what, recorded, ...runs }: Figures): ReplayTotal {
  const [unchanged, changed] = [rangeOf(runs.unchanged), rangeOf(runs.changed)];
  const known = (values: Figures["changed"]) => values.filter((value) => value !== null).length;
  const isRange = known(runs.unchanged) > 1 && known(runs.changed) > 1;
  const why = whyOfRanges(unchanged, changed);
  return { what, recorded, unchanged, changed, why: why === "change" && !isRange ? "unknown" : why };
}

type Range = ReplayTotal["changed"];

function rangeOf(values: readonly (number | null)[]): Range {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : { from: Math.min(...known), to: Math.max(...known) };
}

function whyOfRanges(unchanged: Range, changed: Range): ReplayWhy {
  if (unchanged === null || changed === null) return "unknown";
  if (unchanged.from === changed.from && unchanged.to === changed.to) return "same";
  return unchanged.to < changed.from || changed.to < unchanged.from ? "change" : "unknown";
}
