import "server-only";
import { database } from "../db";
import { closeEventStreams } from "../event-stream";
import { logger } from "../logger";
import { processState } from "../process-state";
import { openTrace } from "../traces/open-trace";
import { SpanBuffer } from "../traces/recorder";
import { buildRun } from "./build-run";
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
    });
    return { host, spans, started: null, stopSweeps: () => undefined };
  });
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
