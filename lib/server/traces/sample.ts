import { createHash } from "node:crypto";
import type { SpanHandle } from "@/lib/agent/run-context";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRecorder } from "./recorder";

/**
 * Whether the steps of this run are recorded if only the fraction `sample` (0 to 1) of an agent's runs is. The run's id
 * decides, so that every process and every later segment reaches the same decision.
 */
export function isSampled(runId: string, sample: number): boolean {
  return createHash("sha256").update(runId).digest().readUInt32BE() / 2 ** 32 < sample;
}

/** The same for a whole trace: its root run and that run's version also decide for the subagents. */
export async function isTraceSampled(
  database: Database,
  trace: { readonly runId: string; readonly agentVersionId: string },
): Promise<boolean> {
  const { config } = await loadAgentVersion(database, trace.agentVersionId);
  return isSampled(trace.runId, config.trace.sample);
}

/** Replaces the recorder for a run that is not recorded. */
export function silentRecorder(): RunRecorder {
  return {
    keepStep: () => undefined,
    endSteps: () => undefined,
    startSpan: () => silentSpan(),
    recordEvent: () => undefined,
    keepText: () => "",
    keepMessage: () => "",
    rowPosition: () => null,
  };
}

export function silentSpan(id = createId("sp")): SpanHandle {
  return { id, set: () => undefined, setCall: () => undefined, end: () => undefined };
}
