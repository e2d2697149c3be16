import { normalizePath } from "@/lib/agent/workspace/workspace";
import { fileRules } from "@/lib/hooks/readable-workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Evidence } from "@/lib/schema/boards/board";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { configInPlace, sharedBoardOf } from "@/lib/server/engine/workspace-scope";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import type { Database } from "@/lib/server/platform/db/database";
import { type CallPlace, hasHook, whyNotCall } from "@/lib/server/tools/unattended-call";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import type { EvidenceState } from "./read-board";

const TIMEOUT_MS = 120_000;
const MOST_OUTPUT_BYTES = 4_000;

/** The agent's own rules decide: whoever writes a card may not make the agent do what it must not do by itself. */
async function whyNotRun(config: AgentConfig, command: string, place: CallPlace): Promise<string | null> {
  const tool = listBuiltinTools().find(([{ name }]) => name === "execute")?.[0];
  if (!tool || !hasHook(config, "filesystem")) return "its agent does not offer execute";
  return whyNotCall({ tool, args: { command } }, config, place);
}

/**
 * Whether the run's files provide the evidence the card asks for: the file exists, or the command exits with 0 in the
 * sandbox. Never throws because of what the agent did.
 */
export async function checkEvidence(database: Database, run: ClaimedRun, evidence: Evidence): Promise<EvidenceState> {
  const { config } = await loadAgentVersion(database, run.agentVersionId);
  const { backend } = configInPlace(config, run);
  if (backend === null) return { ok: false, text: "Its agent has no files, so there is nothing to check." };
  const { agentId, ownerId, threadId } = run;
  const place = { agentId, userId: ownerId, threadId, runId: run.id };
  const owner = { agentId, ownerId, threadId, boardId: sharedBoardOf(run) };
  const { workspace } = await openWorkspace(database, backend, owner);
  if ("file" in evidence) {
    if (fileRules(config)?.mayName(evidence.file) === false) {
      return { ok: false, text: `${evidence.file} was not looked at: the rules of its agent deny reading it.` };
    }
    const found = await workspace.stat(normalizePath(evidence.file, backend.workdir)).catch(() => null);
    if (found?.type !== "file") return { ok: false, text: `${evidence.file} does not exist.` };
    return { ok: true, text: `${evidence.file}, ${found.size.toLocaleString("en")} bytes` };
  }
  if (!workspace.execute || workspace.isSandboxed !== true) {
    return { ok: false, text: "Commands can't be run here: its agent has no sandbox." };
  }
  const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MOST_OUTPUT_BYTES };
  const refusal = await whyNotRun(config, evidence.command, place);
  if (refusal !== null) return { ok: false, text: `${evidence.command} was not run: ${refusal}.` };
  const ended = await workspace.execute(evidence.command, { ...limits, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (ended.exitCode === 0) return { ok: true, text: `${evidence.command} passed` };
  const how = ended.stopped ?? `exit code ${ended.exitCode ?? "unknown"}`;
  return {
    ok: false,
    text: `${evidence.command} failed (${how}). ${ended.output.trim().slice(-500).toWellFormed()}`.trim(),
  };
}
