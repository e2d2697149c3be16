import "server-only";
import { estimateHistory } from "@/lib/context/plan-compaction";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { contextRules } from "@/lib/schema/agents/context-rules";
import type { PreviewBody } from "@/lib/schema/agents/prompt";
import type { ContextPreview, ThreadFill } from "@/lib/schema/threads/thread-context";
import type { Viewer } from "@/lib/schema/users/user";
import { previewedConfig } from "@/lib/server/agents/prompt/previewed-config";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import { loadModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import type { Database } from "@/lib/server/platform/db/database";
import { selectLatestRunIds } from "@/lib/server/platform/db/queries/runs";
import type { Services } from "@/lib/server/platform/services";
import { runWindow } from "@/lib/server/providers/run-window";

const SHOWN_THREADS = 12;

/**
 * The context window of a config, its context rules, and how full the agent's latest threads are. For admins; titles of
 * other people's threads are omitted. Throws `not_found`, `invalid_input` for an invalid config.
 */
export async function previewContext(
  services: Services,
  agentId: string,
  body: PreviewBody,
  viewer: Viewer,
): Promise<ContextPreview> {
  const { config } = await previewedConfig(services, agentId, body, viewer);
  const [found, threads] = await Promise.all([
    runWindow(services, config),
    latestFills(services.database, agentId, config, viewer),
  ]);
  return { ...found, rules: contextRules(config, found.window), threads };
}

async function latestFills(
  database: Database,
  agentId: string,
  config: AgentConfig,
  viewer: Viewer,
): Promise<ThreadFill[]> {
  const rows = await database.thread.findMany({
    where: { agentId, deletedAt: null, ephemeral: false, isTest: false, parentThreadId: null },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
    take: SHOWN_THREADS,
    select: { id: true, title: true, ownerId: true, updatedAt: true, owner: { select: { name: true } } },
  });
  const traces = await latestTraces(
    database,
    rows.map(({ id }) => id),
  );
  const fills: ThreadFill[] = [];
  // Processed sequentially because each history may be long.
  for (const { id, title, ownerId, updatedAt, owner } of rows) {
    const stored = await loadModelHistory(database, { threadId: id }, config.compaction.placement);
    const isOwn = ownerId === viewer.id;
    fills.push({
      threadId: id,
      title: isOwn ? title : null,
      isOwn,
      ownerName: owner.name,
      traceId: traces.get(id) ?? null,
      conversation: estimateHistory(stored, config),
      messages: stored.messages.length,
      compactions: stored.compactionCount,
      updatedAt: updatedAt.toISOString(),
      estimated: true,
    });
  }
  return fills;
}

async function latestTraces(database: Database, threadIds: readonly string[]): Promise<Map<string, string | null>> {
  if (threadIds.length === 0) return new Map();
  const latest = await selectLatestRunIds(database, [...threadIds]);
  const runs = await database.run.findMany({
    where: { id: { in: [...latest.values()] } },
    select: { threadId: true, traceId: true },
  });
  return new Map(runs.map(({ threadId, traceId }) => [threadId, shownTraceId(traceId)]));
}
