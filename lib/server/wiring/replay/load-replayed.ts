import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { ReplayChanges } from "@/lib/schema/traces/replay";
import { runsTools } from "@/lib/schema/traces/replay-tools";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import type { Services } from "@/lib/server/platform/services";
import { requireReplay, type StoredReplay } from "@/lib/server/traces/replay/replay-row";
import { filesElsewhere } from "@/lib/server/wiring/build-run";
import { versionWithWindow } from "@/lib/server/wiring/version-with-window";

export interface Replayed {
  readonly replay: StoredReplay;
  /** The run that this one repeats; null for a subagent's that the recording lacks. */
  readonly original: RunRow | null;
  /** The run that is replayed as a whole. */
  readonly root: RunRow;
  /** What changes in this run: settings and messages of subagents are their own. */
  readonly changes: ReplayChanges;
  readonly fromStep: number;
}

/** What a run of a replay repeats. Throws `conflict` if that has been deleted. */
export async function loadReplayed(db: Database, run: ClaimedRun): Promise<Replayed> {
  const replay = await requireReplay(db, run.replayId ?? "");
  const ids = [replay.runId, ...(run.replayOf === null ? [] : [run.replayOf])];
  const rows = await db.run.findMany({ where: { id: { in: ids } } });
  const root = rows.find(({ id }) => id === replay.runId);
  if (!root) throw gone();
  if (run.parentRunId === null) {
    return { replay, original: root, root, changes: replay.changes, fromStep: replay.fromStep };
  }
  const { results, args } = replay.changes;
  const changes = { ...(results ? { results } : {}), ...(args ? { args } : {}) };
  return { replay, original: rows.find(({ id }) => id === run.replayOf) ?? null, root, changes, fromStep: 1 };
}

export function gone(): AppError {
  return new AppError("conflict", "The run that this one replays has been deleted.");
}

/**
 * Of a replay, the config of the replayed run with what the replay changes; of all others `versionWithWindow`.
 */
export async function versionInUse(services: Services, run: ClaimedRun, version: AgentVersion): Promise<AgentVersion> {
  if (run.replayId === null) return versionWithWindow(services, run, version);
  const { original, root, changes } = await loadReplayed(services.database, run);
  const { modelOverride } = run;
  const base = await versionWithWindow(
    services,
    original ? { ...original, modelOverride } : underTrigger(run, root),
    version,
  );
  const { model: _, ...settings } = changes.config ?? {};
  return { ...base, config: { ...base.config, ...settings } };
}

/** A run with the limits of what started the recorded run: what came from outside stays confined. */
export function underTrigger(run: ClaimedRun, root: RunRow): ClaimedRun {
  const { trigger } = RunInput.parse(JSON.parse(root.input));
  if (trigger === undefined) return run;
  return { ...run, input: JSON.stringify({ ...RunInput.parse(JSON.parse(run.input)), trigger }) };
}

/** Why this process can't use the files of the replay's run; null if it can, or if no tool of it runs. */
export async function replayFilesElsewhere(db: Database, run: ClaimedRun, config: AgentConfig): Promise<string | null> {
  const { tools } = await requireReplay(db, run.replayId ?? "");
  return runsTools(tools) ? filesElsewhere(db, run, config) : null;
}
