import "server-only";
import type { CompactionDependencies } from "../compaction/compact-history";
import { database } from "../db";
import { closeEventStreams } from "../event-stream";
import { logger } from "../logger";
import { processState } from "../process-state";
import { openTrace, rootSpanId } from "../traces/open-trace";
import { createRecorder, SpanBuffer } from "../traces/recorder";
import { afterRun } from "./after-run";
import { buildCompaction, buildRun } from "./build-run";
import { RunHost } from "./run-host";
import { setShuttingDown } from "./run-signal";
import { startSweeps } from "./sweep";

interface ProcessHost {
  readonly host: RunHost;
  readonly spans: SpanBuffer;
  started: Promise<void> | null;
  stopSweeps: () => void;
}

/** The one host of this process; routes and instrumentation share it. */
function processHost(): ProcessHost {
  return processState("run-host", () => {
    const db = database();
    const spans = new SpanBuffer(db);
    const host = new RunHost({
      database: db,
      build: buildRun,
      openTrace: (run, version) => openTrace(db, spans, run, version),
      afterRun: (runId, signal) => afterRun(compactionDependencies(spans), runId, signal),
    });
    return { host, spans, started: null, stopSweeps: () => undefined };
  });
}

function compactionDependencies(spans: SpanBuffer): CompactionDependencies {
  return {
    database: database(),
    build: buildCompaction,
    recorder: ({ id: runId, traceId }) => createRecorder(spans, { traceId, runId, rootId: rootSpanId(runId) }),
  };
}

/** What compacting needs of this process; its spans go where those of the runs go. */
export function processCompaction(): CompactionDependencies {
  return compactionDependencies(processHost().spans);
}

/** Begins to execute runs, first those that an earlier process left unfinished. Again: nothing happens. */
export function startProcessHost(): Promise<void> {
  const state = processHost();
  state.started ??= state.host.start().then(() => {
    state.stopSweeps = startSweeps(database());
  });
  return state.started;
}

/** Runs that are going on in this process. */
export function activeRunCount(): number {
  return processHost().host.activeRuns;
}

/**
 * Brings the process to a rest: new runs are refused, tools get 5 s, streams end, spans are stored, leases released.
 * Takes less than 10 s; every run goes on in the next process.
 */
export async function stopProcessHost(): Promise<void> {
  setShuttingDown(true);
  const { host, spans, stopSweeps } = processHost();
  stopSweeps();
  logger().info({ activeRuns: host.activeRuns }, "stopping");
  await host.stop();
  closeEventStreams();
  await spans.flush();
}
