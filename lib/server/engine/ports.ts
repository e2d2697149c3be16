import type { Hook } from "@/lib/agent/hooks/hook";
import type { RunInterrupts } from "@/lib/agent/interrupts";
import type { ModelRequest } from "@/lib/agent/model";
import type { AgentRun } from "@/lib/agent/run-agent";
import type { RunState, TraceRecorder } from "@/lib/agent/run-context";
import type { HistoryReport } from "@/lib/context/history/prepare-history";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { AppError } from "@/lib/schema/app-error";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { RunEnding } from "@/lib/server/engine/ending/plan";
import type { ModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import type { ThreadPath } from "@/lib/server/platform/db/queries/paths";
import type { AgentVersion } from "./agent-version";
import type { ClaimedRun } from "./claimed-run";
import type { RunInput } from "./run-input";

/** The parts of an agent's run that depend on the installation: prompt, model, tools, hooks. */
export type BuiltRun = Pick<AgentRun, "system" | "model" | "tools" | "hooks">;

/** What a replayed run takes from the run that it replays. */
export interface ReplayedRun extends BuiltRun {
  /** Where that run's thread was before it. */
  readonly path: ThreadPath;
  /** How that run read its thread. */
  readonly input: Pick<RunInput, "isRetry" | "noHistory">;
  /** The journal of the steps that are not run again, and the steering messages of all others. */
  readonly events: readonly RunEvent[];
  /** With which the first step that runs begins; null for what the run itself has. */
  readonly state: RunState | null;
  /** What a person decided about the same call of the recording, where that still holds. */
  readonly decisionOf?: RunInterrupts["decisionOf"];
}

/** What was done to a run's messages before the model reads them. */
export interface HistoryContext {
  readonly input: RunInput;
  readonly stored: ModelHistory;
  readonly report: HistoryReport;
}

/** The trace of one segment: a recorder below its root span, and how the root ends. */
export interface SegmentTrace {
  readonly recorder: TraceRecorder;
  end(ending: RunEnding): void;
  /**
   * Stores what is known of a run that pauses or moves: another process may continue it, and a waiting run may be ended
   * without one.
   */
  suspend(): Promise<void>;
}

/** Traces, as the engine writes them. */
export interface TracePort {
  open(run: ClaimedRun, version: AgentVersion): Promise<SegmentTrace>;
  /** The last request that a run's step sent to the model; null if the request, or a text in it, is not kept. */
  sentRequest(runId: string, step: number): Promise<ModelRequest | null>;
  /** Ends the spans of ended runs whose process was killed before it stored those ends. */
  endLeftSpans(): Promise<void>;
  /** Ends the spans that dead processes left open for a thread's compactions. */
  endLateSpans(threadId: string): Promise<void>;
}

/** What the engine needs from the layers above it. */
export interface EnginePorts {
  /**
   * The version with the config that this run uses: a subagent's differs from its agent's, and the context window is
   * that of the models it may call.
   */
  readonly versionOfRun: (run: ClaimedRun, version: AgentVersion) => AgentVersion | Promise<AgentVersion>;
  readonly build: (run: ClaimedRun, version: AgentVersion) => Promise<BuiltRun>;
  /** The parts of a run with a `replayId`, instead of `build`. `end` ends it with an error. */
  readonly buildReplay?: (
    run: ClaimedRun,
    version: AgentVersion,
    end: (error: AppError) => void,
  ) => Promise<ReplayedRun>;
  /** The extensions named in the config that this process lacks; null if none. Other processes may have them. */
  readonly missingHere?: (run: ClaimedRun, config: AgentConfig) => string | null | Promise<string | null>;
  /** The extensions that an agent with this config runs with: hashes by file. If absent, there are none. */
  readonly extensionsOf?: (config: AgentConfig) => Readonly<Record<string, string>>;
  /** Hooks that put the facts on the trace; they come before those of `build`. */
  readonly historyHooks: (facts: HistoryContext) => readonly Hook[];
  readonly traces: TracePort;
  /** Resumes the runs waiting for a connection that now exists. */
  readonly resumeConnected?: () => Promise<void>;
}
