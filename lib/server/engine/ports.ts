import type { Hook } from "@/lib/agent/hooks/hook";
import type { ModelRequest } from "@/lib/agent/model";
import type { AgentRun } from "@/lib/agent/run-agent";
import type { TraceRecorder } from "@/lib/agent/run-context";
import type { HistoryReport } from "@/lib/context/history/prepare-history";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { RunEnding } from "@/lib/server/engine/ending/plan";
import type { ModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import type { AgentVersion } from "./agent-version";
import type { ClaimedRun } from "./claimed-run";
import type { RunInput } from "./run-input";

/** The parts of an agent's run that depend on the installation: prompt, model, tools, hooks. */
export type BuiltRun = Pick<AgentRun, "system" | "model" | "tools" | "hooks">;

/** What was done with a run's messages before the model reads them. */
export interface HistoryFacts {
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

/** The traces, as the engine writes them. */
export interface TracePort {
  open(run: ClaimedRun, version: AgentVersion): Promise<SegmentTrace>;
  /** What the latest model call of a run's step sent; null where that, or a text of it, is not kept. */
  sentRequest(runId: string, step: number): Promise<ModelRequest | null>;
  /** Ends the spans of ended runs whose process was killed before it had stored those ends. */
  endLeftSpans(): Promise<void>;
  /** Ends what dead processes have left open of a thread's compactions. */
  endLateSpans(threadId: string): Promise<void>;
}

/** What the engine takes from the layers above it. */
export interface EnginePorts {
  /**
   * The version with the config that this run uses: a subagent's differs from its agent's, and the context window is
   * that of the models it may call.
   */
  readonly versionOfRun: (run: ClaimedRun, version: AgentVersion) => AgentVersion | Promise<AgentVersion>;
  readonly build: (run: ClaimedRun, version: AgentVersion) => Promise<BuiltRun>;
  /** What this process lacks of the extensions that the config names; null when nothing. Other processes may have it. */
  readonly missingHere?: (run: ClaimedRun, config: AgentConfig) => string | null | Promise<string | null>;
  /** The extensions that an agent with this config runs with: hashes by file. Without it there are none. */
  readonly extensionsOf?: (config: AgentConfig) => Readonly<Record<string, string>>;
  /** Hooks that put the facts on the trace; they come before those of `build`. */
  readonly historyHooks: (facts: HistoryFacts) => readonly Hook[];
  readonly traces: TracePort;
  /** Resumes the runs that wait for a connection which exists by now. */
  readonly resumeConnected?: () => Promise<void>;
}
