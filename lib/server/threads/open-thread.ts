import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Reader } from "@/lib/schema/users/user";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { readableBy } from "@/lib/server/views/readable-by";
import { THREAD_USAGE_FIELDS } from "./thread-usage";

interface ThreadOptions {
  /** Created for one request: not listed, swept after a day. */
  readonly ephemeral?: boolean;
}

interface ThreadOwner {
  readonly viewer: Reader;
  readonly agentId: string;
}

/**
 * The owner's thread with this agent and client id, created if missing; without a `clientId`, a new thread (D-58). A
 * deleted thread is restored without its content because its id is taken.
 */
export async function openThread(
  database: Database,
  { viewer, agentId }: ThreadOwner,
  clientId: string | undefined,
  { ephemeral = false }: ThreadOptions = {},
): Promise<{ id: string; clientId: string }> {
  const id = createId("th");
  const named = { ownerId: viewer.id, agentId, clientId: clientId ?? id };
  await refuseBeyondReach(database, viewer, named);
  const thread = await database.thread.upsert({
    where: { ownerId_agentId_clientId: named },
    create: { id, ...named, ephemeral },
    update: { deletedAt: null },
    select: { id: true, clientId: true, isTest: true },
  });
  if (thread.isTest) throw new AppError("conflict", TEST_THREAD);
  return thread;
}

/** The thread of a subagent's run has the subagent as its agent, and is out of reach with the thread that it works for. */
async function refuseBeyondReach(
  database: Database,
  { reach }: Reader,
  named: { readonly ownerId: string; readonly agentId: string; readonly clientId: string },
): Promise<void> {
  if (!reach) return;
  const other = { ...named, NOT: homeInReach({ reach }) };
  if (await database.thread.findFirst({ where: other, select: { id: true } })) {
    throw new AppError("not_found", "Thread not found.");
  }
}

const TEST_THREAD =
  "This thread tests the agent's draft. Send to /api/threads/{id}/messages, or use another thread_id.";

/** The owner's thread with this agent by the client's id, or null. */
export async function findClientThread(database: Database, { viewer, agentId }: ThreadOwner, clientId: string) {
  return database.thread.findFirst({
    where: { ownerId: viewer.id, agentId, clientId, deletedAt: null, ...readableBy(viewer) },
    select: { id: true, clientId: true, projectId: true, fileScope: true, ...THREAD_USAGE_FIELDS },
  });
}
