import type { ChildRun, DelegateInfo, SubagentInfo, Subagents } from "@/lib/agent/subagents";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { describeChild } from "@/lib/server/engine/children/child-run";
import { findChildOfCall, type HandOver, startChild } from "@/lib/server/engine/children/start-child";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { isTerminal } from "@/lib/server/engine/log/read-events";
import { storedRows } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import type { AgentVersion } from "./agent-version";
import type { ClaimedRun } from "./claimed-run";

/** What a run may start. */
interface OfferedRuns {
  readonly offered: readonly SubagentInfo[];
  readonly delegates?: readonly DelegateInfo[];
  readonly handOver?: HandOver;
  /** Of a replay: the recorded call that a call of the run is. */
  readonly recordedCallOf?: ((toolCallId: string) => string | null) | undefined;
}

/** The subagents of one run in one segment. */
export function runSubagents(
  database: Database,
  run: ClaimedRun,
  version: AgentVersion,
  { offered, delegates = [], handOver, recordedCallOf }: OfferedRuns,
): Subagents {
  const load = async (runId: string): Promise<ChildRun> =>
    describeChild(database, await database.run.findUniqueOrThrow({ where: { id: runId } }));

  const { max_chars: maxChars, head, tail } = version.config.subagent_settings.result;

  return {
    offered,
    delegates,
    resultLimits: { maxChars, head, tail },
    async start(request) {
      const known = await findChildOfCall(database, run.id, request.call.id);
      const recorded = recordedCallOf?.(request.call.id) ?? null;
      const row = known ?? (await startChild(database, run, version, { ...request, handOver, recorded }));
      const isNew = !known || !(await isLogged(database, run.id, request.call.id));
      return { child: await describeChild(database, row), isNew };
    },
    async waitForEnd(runId, timeoutMs, signal) {
      await endOrTimeout(database, runId, timeoutMs, signal);
      return load(runId);
    },
    async find(runId) {
      return (await isFromThread(database, runId, run)) ? load(runId) : null;
    },
    async cancel(runId) {
      if (!(await isFromThread(database, runId, run))) return null;
      await cancelRun(database, runId, run.ownerId);
      return load(runId);
    },
  };
}

/** Whether the parent's log says that the call has started its child; a crash may have come before that. */
async function isLogged(database: Database, runId: string, toolCallId: string): Promise<boolean> {
  const started = await database.runEvent.findMany({
    where: { runId, type: "subagent.started" },
    select: { data: true },
  });
  return started.some(({ data }) => data.includes(JSON.stringify(toolCallId)));
}

/** Whether this run, or an earlier run of the same thread, started the child. */
async function isFromThread(database: Database, childRunId: string, run: ClaimedRun): Promise<boolean> {
  const child = await database.run.findUnique({ where: { id: childRunId }, select: { parentRunId: true } });
  if (!child?.parentRunId) return false;
  const parent = await database.run.findUnique({ where: { id: child.parentRunId }, select: { threadId: true } });
  return parent?.threadId === run.threadId;
}

/** Also returns once the child asks a person, so that the parent need not keep waiting in memory. */
async function endOrTimeout(database: Database, runId: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const isOver = async () => {
    const row = await database.run.findUniqueOrThrow({ where: { id: runId }, select: { status: true } });
    return hasEnded(row.status as RunStatus);
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  // Subscribes before the first look, so that no end in between is missed.
  const arrivals = storedRows(runId, limit);
  try {
    let hasStopped = await isOver();
    while (!hasStopped) {
      const { value } = await arrivals.next();
      const [rows] = value;
      hasStopped = rows.length === 0 ? await isOver() : rows.some(endsWait);
    }
  } catch (error) {
    if (!limit.aborted) throw error;
  } finally {
    await arrivals.return?.();
  }
  signal.throwIfAborted();
}

function endsWait(row: StoredRunEvent): boolean {
  return isTerminal(row) || row.event.type === "run.waiting";
}
