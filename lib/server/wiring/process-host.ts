import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { missingHere } from "@/lib/server/agents/config/find-missing";
import { usedExtensions } from "@/lib/server/agents/list-extensions";
import { AUDIT_CHAIN_EVERY_MS, linkEntries } from "@/lib/server/audit/audit-chain";
import type { CompactionDependencies } from "@/lib/server/engine/compaction/compact-history";
import { unlockDeadThreads } from "@/lib/server/engine/compaction/thread-lock";
import { type Chore, RunHost } from "@/lib/server/engine/host";
import { PostgresNotifier } from "@/lib/server/engine/log/notify";
import { isShuttingDown, setShuttingDown } from "@/lib/server/engine/log/signals";
import { DELIVERY_TASK, DeliveryTask } from "@/lib/server/engine/outgoing/delivery-timer";
import type { EnginePorts } from "@/lib/server/engine/ports";
import { SWEEP_EVERY_MS, sweep } from "@/lib/server/engine/sweep";
import { closeEventStreams } from "@/lib/server/http/event-stream";
import type { Database } from "@/lib/server/platform/db/database";
import { saveDeletedDatabase } from "@/lib/server/platform/db/database-file";
import { calmPace } from "@/lib/server/platform/db/in-chunks";
import { selectUnlinked } from "@/lib/server/platform/db/queries/audit";
import { selectMaskingRevision } from "@/lib/server/platform/db/queries/search/mask-texts";
import { hasUnprepared, prepareTexts } from "@/lib/server/platform/db/queries/search/prepare-texts";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { maskingRevision } from "@/lib/server/platform/masking";
import { type Services, serviceState } from "@/lib/server/platform/services";
import {
  fillPriceHistory,
  PRICE_HISTORY_EVERY_MS,
  PRICE_HISTORY_TASK,
} from "@/lib/server/providers/price-history/price-history";
import { retentionInForce } from "@/lib/server/settings/retention";
import { loadSettings } from "@/lib/server/settings/settings";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { warnOfConnections } from "@/lib/server/status/connection-need";
import { resumeConnected } from "@/lib/server/tools/mcp/oauth/resume-connected";
import { ALERTS_EVERY_MS, checkAlerts, hasAlerts } from "@/lib/server/traces/alerts/check-alerts";
import { lateRecorder, tracePort } from "@/lib/server/traces/open-trace";
import { collectProblems, PROBLEMS_EVERY_MS } from "@/lib/server/traces/problems/problems";
import { flushSpans, SpanBuffer } from "@/lib/server/traces/recorder";
import { finishLeftUndos } from "@/lib/server/traces/undo/journal";
import { BOARDS_EVERY_MS, sweepBoards } from "@/lib/server/triggers/boards/tick-board";
import { startLinkedPeople } from "@/lib/server/triggers/channels/links/linked-people";
import { setMessageReader } from "@/lib/server/triggers/channels/message-pictures";
import {
  followQuestions,
  QUESTIONS_EVERY_MS,
  sweepQuestions,
} from "@/lib/server/triggers/channels/questions/follow-questions";
import { deliver } from "@/lib/server/triggers/deliver";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { followRuns, NOTIFICATIONS_EVERY_MS, sweepNotifications } from "@/lib/server/triggers/notify/notify-run";
import { sweepNotes } from "@/lib/server/triggers/notify/tell-person";
import { sweepTriggers, TRIGGERS_EVERY_MS } from "@/lib/server/triggers/settle-firing";
import { TRIGGER_TASK, TriggerTask } from "@/lib/server/triggers/timer";
import { ERASING_EVERY_MS, ERASING_TASK } from "@/lib/server/users/erase-user";
import { afterRun } from "./after-run";
import { buildCompaction, buildRun, filesElsewhere } from "./build-run";
import { eraseUsers } from "./erasing/erase-users";
import { historyHooks } from "./history-hooks";
import { HOUSEKEEPING_EVERY_MS, runHousekeeping } from "./housekeeping";
import { buildReplay } from "./replay/build-replay";
import { replayFilesElsewhere, versionInUse } from "./replay/load-replayed";
import { versionWithWindow } from "./version-with-window";

const BACKUP_CHECK_EVERY_MS = 900_000;
const SEARCH_INDEX_EVERY_MS = 10_000;
const OTLP_EVERY_MS = 2_000;

/** How long streams and replies have to flush their last output before the process exits. */
const FLUSH_STREAMS_MS = 100;

interface ProcessHost {
  readonly host: RunHost;
  readonly spans: SpanBuffer;
  /** Notifies between the processes on one Postgres. */
  readonly notifier: PostgresNotifier | null;
  started: Promise<void> | null;
  /** Each ends one subscription to announcements; called when the host stops. */
  readonly unfollow: (() => void)[];
}

/** The only host of this process; routes and instrumentation share it. */
const processHost = serviceState("run-host", (services): ProcessHost => {
  const { database } = services;
  const spans = new SpanBuffer(database);
  const { workerSlots: maxRuns, maxRunsPerUser } = env();
  const host = new RunHost({
    database,
    maxRuns,
    maxRunsPerUser,
    ...enginePorts(services, spans),
    afterRun: (runId, signal) => afterRun(services, compactionDependencies(services, spans), runId, signal),
    chores: chores(services),
    tasks: {
      [TRIGGER_TASK]: (data) => fireTrigger(services, TriggerTask.parse(data).triggerId),
      [DELIVERY_TASK]: (data) => deliver(services, DeliveryTask.parse(data).deliveryId),
    },
  });
  const notifier = database.dialect.provider === "postgresql" ? new PostgresNotifier(database) : null;
  return { host, spans, notifier, started: null, unfollow: [] };
});

/** Periodic deletions; one process runs them at a time. */
function chores(services: Services) {
  const { database } = services;
  const { dataDirectory } = env();
  const pace = calmPace(isShuttingDown);
  return {
    [PRICE_HISTORY_TASK]: {
      everyMs: PRICE_HISTORY_EVERY_MS,
      run: () => flushSpans().then(() => fillPriceHistory(services, pace)),
    },
    // Loaded lazily because most processes never make a backup.
    backup: {
      everyMs: BACKUP_CHECK_EVERY_MS,
      run: async () => {
        if (currentSettings().backup.folder === null) return;
        await import("@/lib/server/status/backup/kept-backups").then(({ backUpWhenDue }) => backUpWhenDue(services));
      },
    },
    [ERASING_TASK]: {
      everyMs: ERASING_EVERY_MS,
      run: () => eraseUsers(database, { pace, dataDirectory, isOver: isShuttingDown }),
    },
    triggers: { everyMs: TRIGGERS_EVERY_MS, run: () => sweepTriggers(services) },
    notifications: {
      everyMs: NOTIFICATIONS_EVERY_MS,
      run: () => sweepNotifications(services).then(() => sweepNotes(services)),
    },
    "channel-questions": { everyMs: QUESTIONS_EVERY_MS, run: () => sweepQuestions(services) },
    problems: { everyMs: PROBLEMS_EVERY_MS, run: () => flushSpans().then(() => collectProblems(database)) },
    alerts: { everyMs: ALERTS_EVERY_MS, isDue: () => hasAlerts(database), run: () => checkAlerts(services) },
    ...exportChore(services),
    boards: { everyMs: BOARDS_EVERY_MS, run: () => sweepBoards(services) },
    "audit-chain": {
      everyMs: AUDIT_CHAIN_EVERY_MS,
      isDue: async () => (await selectUnlinked(database, 1)).length > 0,
      run: () => linkEntries(database),
    },
    "search-index": {
      everyMs: SEARCH_INDEX_EVERY_MS,
      isDue: () => hasUnprepared(database),
      run: async () => {
        // Another process may have changed the rules without this one having heard of it.
        if ((await selectMaskingRevision(database)) !== maskingRevision()) await loadSettings(services);
        await prepareTexts(database, pace);
      },
    },
    sweep: {
      everyMs: SWEEP_EVERY_MS,
      run: () => {
        const { kinds, agents } = retentionInForce();
        const kept = { keepEventsMs: kinds.events, agentEventsMs: agents.events, pace };
        return sweep(database, Date.now(), kept).then(() => finishLeftUndos(services));
      },
    },
    housekeeping: {
      everyMs: HOUSEKEEPING_EVERY_MS,
      run: () => {
        const { kinds: retention, agents } = retentionInForce();
        return runHousekeeping(database, {
          retention,
          agentTracesMs: agents.traces,
          nowMs: Date.now(),
          pace,
          dataDirectory,
        });
      },
    },
  };
}

/** Nothing, and nothing loaded, unless traces are to leave the server. */
function exportChore(services: Services): Readonly<Record<string, Chore>> {
  const { otlp } = env();
  if (otlp === null) return {};
  const load = () => import("@/lib/server/traces/otlp/export-runs");
  return {
    "otlp-export": {
      everyMs: OTLP_EVERY_MS,
      isDue: () => load().then(({ isExportDue }) => isExportDue(services, new Date())),
      run: () => load().then(({ exportRuns }) => exportRuns(services, otlp)),
    },
  };
}

function enginePorts(services: Services, spans: SpanBuffer): EnginePorts {
  const { database } = services;
  return {
    versionOfRun: (run, version) => versionInUse(services, run, version),
    build: (run, version) => buildRun(services, run, version),
    buildReplay: (run, version, end) => buildReplay(services, run, version, end),
    // No extension takes part in a replay, except by tools that it runs.
    missingHere: async (run, config) =>
      run.replayId === null
        ? (missingHere(config) ?? (await filesElsewhere(database, run, config)))
        : replayFilesElsewhere(database, run, config),
    extensionsOf: usedExtensions,
    historyHooks,
    traces: tracePort(database, spans),
    resumeConnected: () => resumeConnected(database),
  };
}

function compactionDependencies(services: Services, spans: SpanBuffer): CompactionDependencies {
  return {
    database: services.database,
    versionOfRun: (run, version) => versionWithWindow(services, run, version),
    build: (run, version) => buildCompaction(services, run, version),
    recorder: (run) => lateRecorder(services.database, spans, run),
    endLateSpans: tracePort(services.database, spans).endLateSpans,
    flushSpans: () => spans.flush(),
  };
}

/** What compaction needs from this process; its spans go to the same place as those of runs. */
export function processCompaction(services: Services): CompactionDependencies {
  return compactionDependencies(services, processHost(services).spans);
}

/**
 * Starts executing runs, beginning with those that an earlier process left unfinished, unless other processes do that
 * (RINGMASTER_ROLE=web). Calling it again does nothing.
 */
export function startProcessHost(services: Services): Promise<void> {
  const state = processHost(services);
  if (!state.started) void startNotifier(services.database, state);
  if (!state.started) state.unfollow.push(followRuns(services), followQuestions(services));
  state.started ??= startHost(services, state);
  return state.started;
}

/** Once the others know of this process, the last of several that are too many says so. */
async function startNotifier(database: Database, { notifier }: ProcessHost): Promise<void> {
  await notifier?.start();
  await warnOfConnections(database).catch((error: unknown) => {
    logger().warn({ err: error }, "can't count the connections of all processes");
  });
}

async function startHost(services: Services, state: ProcessHost): Promise<void> {
  const { database } = services;
  // On SQLite there is only one process, so nobody else compacts; on Postgres the locks expire.
  if (database.dialect.provider === "sqlite") {
    await unlockDeadThreads(database, "all", tracePort(database, state.spans));
  }
  state.unfollow.push(await startLinkedPeople(services));
  setMessageReader(services, async (threadId, ownerId, content) => {
    const { readAttached } = await import("@/lib/server/file-access/read-attached");
    return readAttached(services, threadId, { id: ownerId }, { content });
  });
  if (env().role !== "web") await state.host.start();
}

/**
 * Quiesces the process: new runs are refused, tools get 5 s, streams end, spans are stored, leases released. Takes
 * less than 10 s; every run continues in the next process.
 */
export async function stopProcessHost(services: Services): Promise<void> {
  setShuttingDown(true);
  const { host, spans, notifier, started, unfollow } = processHost(services);
  logger().info({ activeRuns: host.activeRuns }, "stopping");
  // What is still being started would follow announcements after the others have ended.
  await started?.catch(() => undefined);
  await host.stop();
  const closed = closeEventStreams(services);
  await notifier?.close();
  await spans.flush();
  for (const end of unfollow.splice(0)) end();
  await saveDeletedDatabase(services.database);
  if (closed > 0) await sleep(FLUSH_STREAMS_MS);
}
