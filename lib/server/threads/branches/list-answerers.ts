import "server-only";
import type { Answerers } from "@/lib/schema/threads/thread-requests";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { usageOfRow } from "@/lib/server/engine/run-row";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { repeatModels } from "@/lib/server/providers/check-choice";
import { estimatedCost } from "@/lib/server/providers/estimated-cost";
import { accessProblem } from "@/lib/server/providers/model-access";
import { requireWritableThread } from "@/lib/server/threads/thread-row";
import { findRun } from "./find-run";

/**
 * The alternatives for answering a message of the viewer's thread again: the models its agent allows, each with what
 * this answer would have cost, and for admins the agent's draft.
 */
export async function listAnswerers(
  services: Services,
  { threadId, messageId }: { readonly threadId: string; readonly messageId: string },
  viewer: Viewer,
): Promise<Answerers> {
  const { database } = services;
  await requireWritableThread(database, threadId, viewer);
  const { run } = await findRun(database, threadId, messageId);
  const row = await database.run.findUniqueOrThrow({
    where: { id: run.id },
    include: { thread: { select: { isTest: true } } },
  });
  const { config } = row.thread.isTest
    ? await loadAgentVersion(database, row.agentVersionId)
    : await loadCurrentVersion(database, row.agentId, accessOf(viewer));
  const [models, draft] = await Promise.all([
    repeatModels(services, config, viewer.role),
    hasAdminScope(viewer)
      ? database.agentDraft.findFirst({
          where: { agentId: row.agentId, endedAt: null },
          orderBy: { revision: "desc" },
          select: { revision: true },
        })
      : null,
  ]);
  const usual = row.modelOverride ?? models[0];
  const usage = usageOfRow(row);
  return {
    agentId: row.agentId,
    models: models
      .filter((model) => model !== usual && accessProblem(services, viewer.role, model) === null)
      .map((model) => ({ model, costUsd: estimatedCost(services, model, usage) })),
    draft,
  };
}
