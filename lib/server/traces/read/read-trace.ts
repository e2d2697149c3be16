import "server-only";
import type { ReadRun, ReadTrace } from "@/lib/schema/traces/read-trace";
import type { Trace } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { selectTraceCalls } from "@/lib/server/platform/db/queries/calls/trace-calls";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { getTrace } from "@/lib/server/traces/get-trace";
import { loadRunMessages } from "@/lib/server/traces/load-run-messages";
import { maskMessage } from "@/lib/server/traces/mask-trace";
import { loadWaits } from "@/lib/server/traces/waits";
import { type Cut, type RunParts, runPassages } from "./run-passages";

const MAX_RUNS = 200;
const MAX_CALLS = 20_000;
/** A longer text is cut: the whole of it is in its span. */
const MAX_BODY_CHARS = 20_000;
/** Once a trace has this much text, what follows is cut to its beginning. */
const MAX_TOTAL_CHARS = 5_000_000;
const BEGINNING_CHARS = 400;

/**
 * A trace as one text in reading order, from rows that outlive the run's events; masked, long texts cut. `id` may be the
 * trace's or its run's. Access and audit as for `getTrace`.
 */
export async function readTrace(services: Services, viewer: Viewer, id: string): Promise<ReadTrace> {
  return (await readWith(services, viewer, id, cutter())).read;
}

/** The same, and the trace that it is of. */
export function readWithSpans(
  services: Services,
  viewer: Viewer,
  id: string,
): Promise<{ trace: Trace; read: ReadTrace }> {
  return readWith(services, viewer, id, cutter());
}

/** The same with all texts whole, and the trace that it is of. */
export function readWhole(services: Services, viewer: Viewer, id: string): Promise<{ trace: Trace; read: ReadTrace }> {
  return readWith(services, viewer, id, keepWhole);
}

async function readWith(
  services: Services,
  viewer: Viewer,
  id: string,
  cut: Cut,
): Promise<{ trace: Trace; read: ReadTrace }> {
  const { database } = services;
  const trace = await getTrace(services, viewer, id, "light");
  const found = await database.run.findMany({
    where: { traceId: trace.id },
    orderBy: [{ depth: "asc" }, { createdAt: "asc" }, { id: "asc" }],
    take: MAX_RUNS + 1,
  });
  const shown = found.slice(0, MAX_RUNS);
  const parts = await loadParts(database, trace, shown);
  const runs: ReadRun[] = [];
  for (const [index, { name, steps, ...part }] of parts.entries()) {
    const run = shown[index];
    const messages = run ? (await loadRunMessages(database, run)).messages.map(maskMessage) : [];
    // The input stays with the run.
    const hasMessages = steps === 0 || messages.some(({ role }) => role === "assistant") || !isOver(run);
    const passages = runPassages({ ...part, messages, hasMessages }, cut);
    runs.push({ runId: part.runId, name, steps, hasMessages, passages });
  }
  const { id: traceId, runId, title, ownerName: askedBy, startedAt } = trace;
  const read = { traceId, runId, title, askedBy, startedAt, runs, hasMoreRuns: found.length > MAX_RUNS };
  return { trace, read };
}

type RunRow = Awaited<ReturnType<Database["run"]["findMany"]>>[number];
type Loaded = Omit<RunParts, "messages" | "hasMessages"> & { readonly name: string; readonly steps: number };

/** What is known of each run besides its messages; a run whose row is gone has what its trace keeps. */
async function loadParts(db: Database, trace: Trace, runs: readonly RunRow[]): Promise<Loaded[]> {
  const [rows, waits] = await Promise.all([
    selectTraceCalls(db, trace.id, MAX_CALLS),
    loadWaits(db, [trace.runId]).then((found) => found.get(trace.runId) ?? []),
  ]);
  const calls = Map.groupBy(
    rows.map(({ startedAt, endedAt, ...row }) => ({
      ...row,
      startedAtMs: startedAt.getTime(),
      endedAtMs: endedAt?.getTime() ?? null,
    })),
    ({ runId }) => runId,
  );
  const spans = Map.groupBy(trace.spans, ({ runId }) => runId);
  const known = runs.length === 0 ? [{ id: trace.runId, name: trace.agentName, steps: trace.steps }] : runs.map(named);
  return known.map(({ id: runId, name, steps }) => ({
    runId,
    name: name ?? trace.agentName,
    steps,
    calls: calls.get(runId) ?? [],
    spans: spans.get(runId) ?? [],
    waits: waits.filter((wait) => wait.runId === runId),
    children: childrenOf(runId, runs),
    end: runId === trace.runId ? endOf(trace) : childEnd(runs.find(({ id }) => id === runId)),
  }));

  function named({ id, subagentName: name, steps }: RunRow) {
    return { id, name, steps };
  }
}

function isOver(run: RunRow | undefined): boolean {
  return run === undefined || run.endedAt !== null;
}

function childrenOf(runId: string, runs: readonly RunRow[]): Map<string, string[]> {
  const own = runs.filter(({ parentRunId }) => parentRunId === runId);
  const byCall = Map.groupBy(own, ({ parentToolCallId }) => parentToolCallId ?? "");
  return new Map([...byCall].map(([callId, children]) => [callId, children.map(({ id }) => id)]));
}

interface RunEnd {
  readonly status: string;
  readonly error: string | null;
  readonly cancelledBy: string | null;
  readonly notice: string | null;
}

function childEnd(run: RunRow | undefined): RunParts["end"] {
  // Who stopped it is said once, at the end of the trace.
  return run === undefined ? null : endOf({ ...run, error: run.errorMessage, cancelledBy: null });
}

/** How a run ended, unless it just completed or goes on. */
function endOf({ status, error, cancelledBy, notice }: RunEnd): RunParts["end"] {
  if (status === "failed" || status === "interrupted") {
    return {
      tone: "fail",
      text: maskText(error ?? (status === "failed" ? "The run failed." : "The process was lost.")),
    };
  }
  if (status === "limit") return { tone: "plain", text: maskText(error ?? notice ?? "A limit ended the run.") };
  if (status !== "cancelled") return null;
  return {
    tone: "plain",
    text: cancelledBy === null ? "The run was stopped." : `The run was stopped by ${cancelledBy}.`,
  };
}

const keepWhole: Cut = (text) => ({ text, chars: text.length });

function cutter(): Cut {
  let total = 0;
  return (text) => {
    const most = total < MAX_TOTAL_CHARS ? MAX_BODY_CHARS : BEGINNING_CHARS;
    const shown = text.length > most ? text.slice(0, most).toWellFormed() : text;
    total += shown.length;
    return { text: shown, chars: text.length };
  };
}
