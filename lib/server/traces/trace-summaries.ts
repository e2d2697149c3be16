import "server-only";
import { RunStatus } from "@/lib/schema/runs/run";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import { showUsage, type Usage } from "@/lib/schema/runs/usage";
import type { TraceSummary } from "@/lib/schema/traces/trace";
import { waitedTime } from "@/lib/server/engine/ending/waited-time";
import { readInputOrNone } from "@/lib/server/engine/run-input";
import { startOf, usageOfRow } from "@/lib/server/engine/run-row";
import { readEach } from "@/lib/server/platform/db/each-alone";
import type { Services } from "@/lib/server/platform/services";
import { agentNames } from "@/lib/server/threads/thread-row";
import { maskSummary } from "./mask-trace";
import { DRAFT_VERSION } from "./open-trace";
import { loadWaits } from "./waits";

/** The columns of a trace row that a summary needs. */
export interface TraceRow extends Readonly<Usage> {
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly origin: string;
  readonly originDetails: string | null;
  readonly attended: boolean;
  readonly title: string | null;
  readonly firstLine: string | null;
  readonly model: string | null;
  readonly status: string;
  readonly error: string | null;
  readonly steps: number;
  readonly costUsd: number | null;
  readonly timeToFirstTokenMs: number | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/**
 * Converts rows for lists and headers, with the names of people and agents, why each run ended and how long it waited
 * (a few queries for all).
 */
export async function toTraceSummaries(services: Services, rows: readonly TraceRow[]): Promise<TraceSummary[]> {
  const { database } = services;
  const runs = await database.run.findMany({
    where: { id: { in: rows.map((row) => row.runId) } },
    select: { id: true, errorCode: true, notice: true, cancelledBy: true, input: true },
  });
  const runById = new Map(runs.map((run) => [run.id, run]));
  const people = new Set([...rows.map((row) => row.ownerId), ...runs.flatMap((run) => run.cancelledBy ?? [])]);
  const users = await database.user.findMany({
    where: { id: { in: [...people] } },
    select: { id: true, name: true },
  });
  const [agents, waits] = await Promise.all([
    agentNames(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    loadWaits(
      database,
      rows.map(({ runId }) => runId),
    ),
  ]);
  const nameById = new Map(users.map((user) => [user.id, user.name]));
  return readEach(rows, "trace", (row) => {
    const run = runById.get(row.runId);
    const nameOf = (id: string) => nameById.get(id) ?? id;
    const summary = maskSummary({
      ...factsOf(row),
      title: row.title ?? (run ? firstText(run.input) : null),
      message: row.firstLine ?? (run ? firstText(run.input) : null),
      ...(run ? endOf(run, nameOf) : { errorCode: null, notice: null, cancelledBy: null }),
      agentName: agents.get(row.agentId) ?? row.agentId,
      ownerName: nameOf(row.ownerId),
      ...waitedTime(waits.get(row.runId) ?? [], row.endedAt?.getTime() ?? null),
    });
    // Only once it is masked: a secret cut in half would not be recognised.
    return { ...summary, error: beginning(summary.error), notice: beginning(summary.notice) };
  });
}

/** What an extension throws may be a megabyte; all of it is on the span that failed. */
const MAX_ERROR_CHARS = 2_000;

function beginning(text: string | null): string | null {
  if (text === null || text.length <= MAX_ERROR_CHARS) return text;
  return `${text.slice(0, MAX_ERROR_CHARS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

interface RunEnd {
  readonly errorCode: string | null;
  readonly notice: string | null;
  readonly cancelledBy: string | null;
}

function endOf({ errorCode, notice, cancelledBy }: RunEnd, nameOf: (id: string) => string): RunEnd {
  return { errorCode, notice, cancelledBy: cancelledBy === null ? null : nameOf(cancelledBy) };
}

function factsOf(row: TraceRow) {
  return {
    id: row.id,
    runId: row.runId,
    threadId: row.threadId,
    agentId: row.agentId,
    agentVersion: toRunVersion(row.agentVersion === DRAFT_VERSION ? null : row.agentVersion),
    ...startOf(row),
    ownerId: row.ownerId,
    model: row.model,
    status: RunStatus.parse(row.status),
    error: row.error,
    startedAt: row.startedAt.toISOString(),
    durationMs: row.endedAt === null ? null : Math.max(0, row.endedAt.getTime() - row.startedAt.getTime()),
    steps: row.steps,
    usage: showUsage(usageOfRow(row)),
    costUsd: row.costUsd,
    timeToFirstTokenMs: row.timeToFirstTokenMs,
  };
}

const TITLE_CHARS = 120;

/** The run's input: a thread's first run begins before the thread has a title. */
function firstText(input: string): string | null {
  const asked = readInputOrNone(input).messages.findLast((message) => message.role === "user");
  const line = asked?.content.trim().split("\n", 1)[0] ?? "";
  if (line === "") return null;
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS).toWellFormed()}…` : line;
}
