import "server-only";
import type { Span } from "@/lib/schema/traces/span";
import type { PromptPart } from "@/lib/schema/traces/span-body";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";

/** Whether the viewer may read the system texts of a run of the trace. */
export type ShowsPrompt = (runId: string) => boolean;

/**
 * Admins read the system texts of every run; others those of agents whose published version says `trace.show_prompt:
 * everyone`. A trace also contains the runs of subagents, and each run follows its own agent's setting. A deleted
 * agent's permission no longer applies.
 */
export async function findShownPrompts(db: Database, viewer: Viewer, traceId: string): Promise<ShowsPrompt> {
  if (hasAdminScope(viewer)) return () => true;
  const runs = await db.run.findMany({ where: { traceId }, select: { id: true, agentId: true } });
  const open = new Set<string>();
  for (const agentId of new Set(runs.map((run) => run.agentId))) {
    const version = await loadCurrentVersion(db, agentId, EVERY_AGENT).catch(() => null);
    if (version?.config.trace.show_prompt === "everyone") open.add(agentId);
  }
  const shown = new Set(runs.filter((run) => open.has(run.agentId)).map((run) => run.id));
  return (runId) => shown.has(runId);
}

/** The span without the verbose copy of the model's input, which contains the system prompt. */
export function withoutPrompt(span: Span): Span {
  const { input: _, ...attributes } = span.attributes;
  return { ...span, attributes };
}

/** Keeps names and tokens. */
export function withoutTexts(parts: readonly PromptPart[] | null): PromptPart[] | null {
  return parts?.map((part) => ({ ...part, text: null })) ?? null;
}
