import "server-only";
import { readUsage, totalTokens } from "@/lib/schema/runs/usage";
import type { ComparedRuns, CompareSide } from "@/lib/schema/traces/compare-runs";
import type { ReadPassage, ReadRun } from "@/lib/schema/traces/read-trace";
import type { Trace } from "@/lib/schema/traces/trace";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { writtenConfig } from "@/lib/server/agents/publish-version";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { readWhole } from "@/lib/server/traces/read/read-trace";
import { type ComparedRun, compareSteps, compareTexts, type StepSummary } from "./compare-steps";

/**
 * Two runs that the viewer may see, side by side; `a` and `b` are ids of runs or traces. Masked, and audited as for
 * `getTrace`. Throws `not_found` for either.
 */
export async function compareRuns(
  services: Services,
  viewer: Viewer,
  { a, b }: { a: string; b: string },
): Promise<ComparedRuns> {
  const { database } = services;
  const first = await loadSide(services, viewer, a);
  const second = await loadSide(services, viewer, b);
  const steps = compareSteps(first, second);
  return {
    a: first.side,
    b: second.side,
    config: await compareConfigs(database, viewer, first.versionId, second.versionId),
    message: compareTexts(messageOf(first.run), messageOf(second.run)),
    steps,
    end: compareTexts(endOf(first.run), endOf(second.run)),
    firstDifference: steps.find(({ same }) => !same) ?? null,
  };
}

interface LoadedSide extends ComparedRun {
  readonly side: CompareSide;
  readonly versionId: string | null;
}

async function loadSide(services: Services, viewer: Viewer, id: string): Promise<LoadedSide> {
  const { trace, read } = await readWhole(services, viewer, id);
  const run = read.runs.find(({ runId }) => runId === trace.runId) ?? NOTHING;
  const [rows, row] = await Promise.all([
    services.database.runStep.findMany({
      where: { runId: trace.runId },
      select: { step: true, promptHash: true, toolsHash: true },
      take: MAX_STEPS,
    }),
    services.database.trace.findUnique({ where: { id: trace.id }, select: { agentVersionId: true } }),
  ]);
  const hashes = new Map(rows.map((step) => [step.step, step]));
  const tokens = tokensOf(trace);
  const factsOf = (step: number): StepSummary => ({
    tokens: tokens.get(step) ?? null,
    promptHash: hashes.get(step)?.promptHash ?? null,
    toolsHash: hashes.get(step)?.toolsHash ?? null,
  });
  return { side: sideOf(trace, run), run, factsOf, versionId: row?.agentVersionId ?? null };
}

const MAX_STEPS = 100_000;
const NOTHING: ReadRun = { runId: "", name: "", steps: 0, hasMessages: false, passages: [] };

function sideOf(trace: Trace, run: ReadRun): CompareSide {
  const { durationMs, waitedMs } = trace;
  const { inputTokens, outputTokens, isUsagePartial } = readUsage(trace.usage);
  const isKnown = !isUsagePartial || inputTokens + outputTokens > 0;
  return {
    traceId: trace.id,
    runId: trace.runId,
    title: trace.title,
    agentName: trace.agentName,
    agentVersion: trace.agentVersion,
    ownerName: trace.ownerName,
    status: trace.status,
    startedAt: trace.startedAt,
    workedMs: Math.max(0, (durationMs ?? waitedMs) - waitedMs),
    waitedMs,
    tokens: isKnown ? totalTokens(readUsage(trace.usage)) : null,
    costUsd: trace.costUsd,
    modelCalls: run.passages.filter(({ kind }) => kind === "step").length,
    toolCalls: run.passages.filter(({ kind }) => kind === "call").length,
    hasMessages: run.hasMessages,
  };
}

/** Input and output of the run's own model calls, by step. */
function tokensOf({ spans, runId }: Trace): ReadonlyMap<unknown, number> {
  const sums = new Map<unknown, number>();
  for (const { type, runId: own, attributes } of spans) {
    const { step, input_tokens: input, output_tokens: output } = attributes;
    if (type !== "llm" || own !== runId || typeof input !== "number" || typeof output !== "number") continue;
    sums.set(step, (sums.get(step) ?? 0) + input + output);
  }
  return sums;
}

/** What the run was first told. */
function messageOf({ passages }: ReadRun): string | null {
  const found = passages.find((passage) => passage.kind === "message");
  return found?.kind === "message" ? found.text.text : null;
}

function endOf({ passages }: ReadRun): string | null {
  const last: ReadPassage | undefined = passages.at(-1);
  return last?.kind === "notice" ? last.text : null;
}

async function compareConfigs(
  db: Database,
  viewer: Viewer,
  first: string | null,
  second: string | null,
): Promise<ComparedRuns["config"]> {
  if (!hasAdminScope(viewer)) return null;
  const rows = await db.agentVersion.findMany({
    where: { id: { in: [first, second].flatMap((id) => id ?? []) } },
    select: { id: true, config: true, yaml: true },
  });
  const textOf = (id: string | null) => {
    const found = rows.find((row) => row.id === id);
    return found ? maskText(writtenConfig(found).yaml) : null;
  };
  const [a, b] = [textOf(first), textOf(second)];
  return a === null && b === null ? null : { same: a === b, a, b };
}
