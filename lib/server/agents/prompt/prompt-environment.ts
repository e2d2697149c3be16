import type { PromptEnvironment } from "@/lib/hooks/prompt";
import type { PromptFile } from "@/lib/schema/agents/prompt";
import { clientThreadId } from "@/lib/server/engine/children/run-tree";
import type { Database } from "@/lib/server/platform/db/database";
import { claimFirstTime } from "@/lib/server/platform/db/queries/first-times";

interface PromptRun {
  readonly id: string;
  readonly agentId: string;
  readonly ownerId: string;
  readonly threadId: string;
}

interface PromptSources {
  /** Null without a backend. */
  readonly workspaceId: string | null;
  readonly promptFiles: readonly PromptFile[];
}

/** What the sections of a run's prompt need from the database. A row inserted once decides which run is first. */
export function runPromptEnvironment(
  database: Database,
  run: PromptRun,
  { workspaceId, promptFiles }: PromptSources,
): PromptEnvironment {
  return {
    agentFiles: promptFiles,
    userName: () => userName(database, run.ownerId),
    threadName: () => clientThreadId(database, run.threadId),
    async isFirst(what) {
      if (what === "files" && workspaceId === null) return false;
      const key = what === "files" ? `files:${workspaceId}` : chatKey(run);
      const first = await claimFirstTime(database, key, { runId: run.id, threadId: run.threadId });
      return what === "files" ? first.runId === run.id : first.threadId === run.threadId;
    },
  };
}

/** For previewing the prompt: nothing is claimed, and a chat counts as the first as long as there has been no other. */
export function previewPromptEnvironment(
  database: Database,
  viewer: Pick<PromptRun, "agentId" | "ownerId"> & { readonly threadId: string | null },
  promptFiles: readonly PromptFile[],
): PromptEnvironment {
  return {
    agentFiles: promptFiles,
    userName: () => userName(database, viewer.ownerId),
    threadName: async () => (viewer.threadId === null ? null : clientThreadId(database, viewer.threadId)),
    async isFirst(what) {
      if (what === "files") return false;
      const first = await database.firstTime.findUnique({ where: { key: chatKey(viewer) } });
      return first === null || first.threadId === viewer.threadId;
    },
  };
}

function chatKey({ agentId, ownerId }: Pick<PromptRun, "agentId" | "ownerId">): string {
  return `chat:${agentId}/${ownerId}`;
}

async function userName(database: Database, id: string): Promise<string | null> {
  const user = await database.user.findUnique({ where: { id }, select: { name: true } });
  return user?.name ?? null;
}
