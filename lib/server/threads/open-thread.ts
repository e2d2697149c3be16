import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readableBy } from "@/lib/server/views/readable-by";
import { THREAD_USAGE_FIELDS } from "./thread-usage";

interface ThreadOptions {
  /** Created for one request: not listed, swept after a day. */
  readonly ephemeral?: boolean;
}

/**
 * The owner's thread with this agent and client id, created if missing; without a `clientId`, a new thread (D-58). A
 * deleted thread is restored without its content because its id is taken.
 */
export async function openThread(
  database: Database,
  owner: { readonly ownerId: string; readonly agentId: string },
  clientId: string | undefined,
  { ephemeral = false }: ThreadOptions = {},
): Promise<{ id: string; clientId: string }> {
  const id = createId("th");
  const named = { ...owner, clientId: clientId ?? id };
  const thread = await database.thread.upsert({
    where: { ownerId_agentId_clientId: named },
    create: { id, ...named, ephemeral },
    update: { deletedAt: null },
    select: { id: true, clientId: true, isTest: true },
  });
  if (thread.isTest) throw new AppError("conflict", TEST_THREAD);
  return thread;
}

const TEST_THREAD =
  "This thread tests the agent's draft. Send to /api/threads/{id}/messages, or use another thread_id.";

/** The owner's thread with this agent by the client's id, or null. */
export async function findClientThread(
  database: Database,
  owner: { readonly ownerId: string; readonly agentId: string },
  clientId: string,
) {
  return database.thread.findFirst({
    where: { ...owner, clientId, deletedAt: null, ...readableBy(owner.ownerId) },
    select: { id: true, clientId: true, projectId: true, fileScope: true, ...THREAD_USAGE_FIELDS },
  });
}
