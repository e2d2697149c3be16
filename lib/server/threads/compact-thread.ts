import "server-only";
import { estimateHistory } from "@/lib/context/plan-compaction";
import { AppError } from "@/lib/schema/app-error";
import type { CompactReply } from "@/lib/schema/runs/compaction";
import { OPEN_STATUSES } from "@/lib/schema/runs/run";
import type { Reader } from "@/lib/schema/users/user";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { CompactionOutcome, CompactionRequest } from "@/lib/server/engine/compaction/compact-history";
import { draftRevisionOf } from "@/lib/server/engine/run-input";
import { loadModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import type { Services } from "@/lib/server/platform/services";
import { requireWritableThread } from "./thread-row";

/** `compactHistory` of this process, loaded only when something is compacted. */
export type LoadCompaction = (
  services: Services,
) => Promise<(request: CompactionRequest) => Promise<CompactionOutcome>>;

/**
 * Compacts the viewer's thread now, whether or not it is due, and resolves when done. Throws `busy` while a run or a
 * compaction of the thread is in progress; errors of the summary's model call are rethrown and leave the thread
 * unchanged.
 */
export async function compactThread(
  services: Services,
  threadId: string,
  viewer: Reader,
  loadCompaction: LoadCompaction,
): Promise<CompactReply> {
  const { database } = services;
  await requireWritableThread(database, threadId, viewer);
  const open = await database.run.count({
    where: { threadId, status: { in: [...OPEN_STATUSES] }, heldAt: null },
  });
  if (open > 0) throw new AppError("busy", "This thread has a run that has not ended yet. Compact it afterwards.");
  const { leafRunId } = await selectThreadEnd(database, threadId);
  const run = leafRunId === null ? null : await database.run.findUnique({ where: { id: leafRunId } });
  if (!run) return { compacted: 0, kept: 0, tokensBefore: 0, tokensAfter: 0, estimated: true };
  const isTest = draftRevisionOf(run) !== null;
  const version = await (isTest
    ? loadAgentVersion(database, run.agentVersionId)
    : versionToUse(database, run.agentId, run.agentVersionId));
  const signal = new AbortController().signal;
  const compact = await loadCompaction(services);
  const outcome = await compact({ run, version, when: "now", signal });
  if (outcome.kind === "busy") throw new AppError("busy", "This thread is being compacted already.");
  if (outcome.kind === "done") return outcome.facts;
  const facts = await unchanged(database, threadId, version);
  return outcome.kind === "dropped" ? { ...facts, dropped: true } : facts;
}

/** The agent's current version, or its last one if the agent was deleted. */
async function versionToUse(database: Database, agentId: string, versionId: string): Promise<AgentVersion> {
  return loadCurrentVersion(database, agentId, EVERY_AGENT).catch(() => loadAgentVersion(database, versionId));
}

async function unchanged(database: Database, threadId: string, { config }: AgentVersion): Promise<CompactReply> {
  const { pair, messages } = await loadModelHistory(database, { threadId }, config.compaction.placement);
  const tokens = estimateHistory({ pair, messages }, config);
  return { compacted: 0, kept: messages.length, tokensBefore: tokens, tokensAfter: tokens, estimated: true };
}
