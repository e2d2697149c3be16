import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { RunInterrupts } from "@/lib/agent/interrupts";
import type { ReplayParts } from "@/lib/hooks/replay";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { InterruptDecision } from "@/lib/schema/runs/interrupt";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { BuiltRun } from "@/lib/server/engine/ports";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import type { RecordedRun } from "@/lib/server/traces/replay/recorded-run";
import type { StoredTools } from "@/lib/server/traces/replay/replay-row";
import { fillScratch } from "@/lib/server/traces/replay/scratch-files";
import { mayRun, needsFiles, policyOf, sandboxOf } from "@/lib/server/traces/replay/tool-policy";
import { buildParts, triggerHooks } from "@/lib/server/wiring/build-run";
import { type Replayed, underTrigger } from "./load-replayed";

/** What a replay needs to run tools. */
export interface RunningParts extends Pick<BuiltRun, "system" | "tools" | "hooks"> {
  /** Those that also make the prompt, for a run whose requests were not recorded. */
  readonly hooksWithPrompt: readonly Hook[];
  /** Whether calls of the tool may run. */
  runs(tool: string): boolean;
  readonly willRun: NonNullable<ReplayParts["willRun"]>;
  readonly decisionOf: RunInterrupts["decisionOf"];
}

/** Hooks of the product itself that tools need, besides those that change what the model reads. */
const RUNNING_HOOKS = new Set([
  ...["tracing", "summarization", "inject-context"],
  ...["permissions", "todolist", "filesystem", "eviction", "memory"],
  ...["deny-calls", "missing-tool", "redact-results"],
]);
const PROMPT_HOOKS = new Set([...RUNNING_HOOKS, "prompt", "skills", "narrow-tools"]);

interface RunningReplay {
  readonly run: ClaimedRun;
  readonly version: AgentVersion;
  readonly replayed: Replayed;
  readonly recorded: RecordedRun | null;
}

/** The agent's own tools over a copy of the files as of the step. */
export async function runningParts(
  services: Services,
  { run, version, replayed, recorded }: RunningReplay,
): Promise<RunningParts> {
  const { replay, original, root, fromStep } = replayed;
  const { tools: policies } = replay;
  const config = scratchConfig(version.config, policies);
  const canSandbox = await sandboxOf(config);
  if (original && hasOwnFiles(run, root) && needsFiles(policies, canSandbox)) {
    await fillScratch(services.database, run, config, { run: original, step: fromStep });
  }
  /** The recorded calls that running ones are, by the latter's ids. */
  const recordedCalls = new Map<string, string>();
  const { built } = await buildParts(services, run, { ...version, config }, (id) => recordedCalls.get(id) ?? null);
  const runs = (tool: string) => mayRun(policies, tool, canSandbox);
  const denied = triggerHooks(underTrigger(run, root));
  const chosen = (names: ReadonlySet<string>) => [...built.hooks.filter(({ name }) => names.has(name)), ...denied];
  const decisions = policies.reuse_decisions
    ? await recordedDecisions(services.database, recorded)
    : new Map<string, never>();
  return {
    system: built.system,
    tools: built.tools.filter(({ name }) => runs(name)),
    hooks: chosen(RUNNING_HOOKS),
    hooksWithPrompt: chosen(PROMPT_HOOKS),
    runs,
    willRun({ runs: call, recordedId }) {
      if (recordedId === null) return null;
      recordedCalls.set(call.id, recordedId);
      return decisions.get(recordedId)?.decision === "deny" ? refusalOf(recorded, recordedId) : null;
    },
    decisionOf(kind, id) {
      const found = kind === "approval" ? decisions.get(recordedCalls.get(id) ?? "") : undefined;
      return found?.decision === "allow" ? { ...found, toolCallId: id } : undefined;
    },
  };
}

/** A subagent that shares the files of the run above it finds them there. */
function hasOwnFiles(
  { parentRunId, agentId }: ClaimedRun,
  { agentId: rootAgentId }: Pick<ClaimedRun, "agentId">,
): boolean {
  return parentRunId === null || agentId !== rootAgentId;
}

/** Files of the replay's own, and commands without network unless they are to run live. */
function scratchConfig(config: AgentConfig, policies: StoredTools): AgentConfig {
  const { backend, hooks } = config;
  const policy = policyOf(policies, "execute", () => true);
  const isLive = policy === "live" || policy === "ask";
  return {
    ...config,
    backend: backend && { ...backend, scope: "thread", network: backend.network && isLive },
    hooks: hooks?.filter((entry) => PROMPT_HOOKS.has(typeof entry === "string" ? entry : entry.name)) ?? null,
  };
}

/** What people decided about calls of the recording, by the call; edited arguments are another call. */
async function recordedDecisions(
  db: Database,
  recorded: RecordedRun | null,
): Promise<ReadonlyMap<string, InterruptDecision>> {
  if (!recorded) return new Map();
  const rows = await db.call.findMany({
    where: { runId: recorded.run.id, decision: { in: ["allow", "deny"] } },
    select: { toolCallId: true, decision: true, decidedBy: true, decisionReason: true },
  });
  return new Map(
    rows.map(({ toolCallId, decision, decidedBy, decisionReason }) => [
      toolCallId,
      {
        ...{ kind: "approval", toolCallId, by: decidedBy ?? "nobody" },
        decision: decision === "allow" ? "allow" : "deny",
        ...(decisionReason === null ? {} : { reason: decisionReason }),
      },
    ]),
  );
}

function refusalOf(recorded: RecordedRun | null, id: string): ReturnType<RunningParts["willRun"]> {
  const result = recorded?.calls.find(({ call }) => call.id === id)?.result;
  return result ? { output: "", error: result.content } : null;
}
