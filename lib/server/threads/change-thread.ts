import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import type { CreateThreadBody, UpdateThreadBody } from "@/lib/schema/threads/thread-requests";
import type { Reader, Viewer } from "@/lib/schema/users/user";
import { requireTestVersion } from "@/lib/server/agents/drafts/test-version";
import { startRun } from "@/lib/server/engine/accept";
import { cancelOpenRuns } from "@/lib/server/engine/ending/cancel";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, accessOfOwner, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { noThread, readableBy } from "@/lib/server/views/readable-by";
import { announceProject } from "./projects/announce-project";
import { moveThread, placeOfNewThread } from "./projects/move-thread";
import { inputOfRun, requireTester, testOptions } from "./test-thread";
import { describeThreads, requireOwnThread, THREAD_FIELDS } from "./thread-row";

interface NewThread {
  /** Default: what its owner can reach. */
  readonly access?: AgentAccess;
  readonly place?: Pick<CreateThreadBody, "projectId" | "files">;
}

/**
 * Creates an empty thread with an agent, optionally in a project. Throws `not_found` for an agent or project the owner
 * can't reach, `forbidden` for a project they can only read.
 */
export async function createThread(
  services: Services,
  viewer: Reader,
  agentId: string,
  { access = accessOfOwner(viewer.id), place = {} }: NewThread = {},
): Promise<ThreadSummary> {
  const [agent] = await selectReachable(services.database, [agentId], access);
  if (!agent?.currentVersionId) throw new AppError("not_found", `There is no agent "${agentId}".`);
  const id = createId("th");
  const columns = await placeOfNewThread(services.database, place, agentId, { id: viewer.id, access });
  const row = await services.database.thread.create({
    data: { id, ownerId: viewer.id, agentId, clientId: id, ...columns },
    select: THREAD_FIELDS,
  });
  tellOpenPages(viewer.id, id);
  return describeOne(services.database, row, viewer);
}

/**
 * Creates a thread whose runs use the agent's draft; with `fromRunId` it starts with that run's input. Throws
 * `forbidden`, `not_found`, and `invalid_input` if the draft can't run.
 */
export async function createTestThread(
  services: Services,
  { agentId, fromRunId }: Pick<CreateThreadBody, "agentId" | "fromRunId">,
  viewer: Viewer,
): Promise<ThreadSummary> {
  const { database } = services;
  requireTester(viewer);
  const messages = fromRunId === undefined ? [] : await inputOfRun(database, fromRunId, agentId);
  if (messages.length > 0) await requireTestVersion(services, agentId);
  const { id: ownerId, keyId: apiKeyId } = viewer;
  const id = createId("th");
  const agent = await database.agent.findFirst({
    where: { id: agentId, deletedAt: null },
    select: { id: true },
  });
  if (!agent) throw new AppError("not_found", `There is no agent "${agentId}".`);
  const row = await database.thread.create({
    data: { id, ownerId, agentId, clientId: id, ephemeral: true, isTest: true },
    select: THREAD_FIELDS,
  });
  if (messages.length > 0) {
    const options = await testOptions(services, row, viewer);
    await startRun(database, { ownerId, agentId, apiKeyId, threadId: id, messages, ...options });
  }
  return describeOne(database, await requireOwnThread(database, id, viewer), viewer);
}

/** A thread that was not handed over has nothing to take back. */
function takenBack({ activeAgentId }: { readonly activeAgentId: string | null }) {
  return activeAgentId === null ? {} : { takenBackAt: new Date() };
}

/**
 * Renames, pins or archives a thread, or moves it into or out of a project. A title given by a person is permanent and
 * also becomes the title of the thread's traces.
 */
export async function updateThread(
  services: Services,
  id: string,
  viewer: Reader,
  change: UpdateThreadBody,
): Promise<ThreadSummary> {
  const { database } = services;
  const thread = await requireOwnThread(database, id, viewer);
  const { archivedAt } = thread;
  const { activeAgentId = null } = change;
  if (activeAgentId !== null && activeAgentId !== thread.agentId) {
    const message = `Only the thread's own agent "${thread.agentId}" can be named: it takes the thread back.`;
    throw new AppError("invalid_input", message, { details: [{ path: "activeAgentId", message }] });
  }
  if (change.projectId !== undefined) await moveThread(database, thread, change.projectId);
  await database.thread.updateMany({
    where: { id, ownerId: viewer.id },
    data: {
      ...(change.title === undefined ? {} : { title: change.title, titled: true }),
      ...(change.activeAgentId === undefined ? {} : { activeAgentId: null, ...takenBack(thread) }),
      ...(change.pinned === undefined ? {} : { pinned: change.pinned }),
      ...(change.archived === undefined ? {} : { archivedAt: change.archived ? (archivedAt ?? new Date()) : null }),
    },
  });
  if (change.title !== undefined) {
    await database.trace.updateMany({ where: { threadId: id }, data: { title: change.title } });
  }
  tellOpenPages(viewer.id, id);
  const changed = await requireOwnThread(database, id, viewer);
  if (changed.projectId !== thread.projectId) await announceProject(services, thread.projectId);
  await announceProject(services, changed.projectId);
  return describeOne(database, changed, viewer);
}

/**
 * Hides the thread and cancels its runs; `restoreThread` restores it completely. A thread that never had content (its
 * first message was blocked, D-61) is deleted for good.
 */
export async function deleteThread(services: Services, id: string, viewer: Reader): Promise<void> {
  const { database } = services;
  const { projectId } = await requireOwnThread(database, id, viewer);
  const empty = { runs: { none: {} }, transcript: { none: {} }, messages: { none: {} }, title: null };
  if ((await database.thread.deleteMany({ where: { id, ownerId: viewer.id, ...empty } })).count > 0) {
    return tellOpenPages(viewer.id, id);
  }
  await cancelOpenRuns(database, { threadId: id }, viewer.id);
  await database.thread.updateMany({
    where: { OR: [{ id, ownerId: viewer.id }, { parentThreadId: id }] },
    data: { deletedAt: new Date() },
  });
  tellOpenPages(viewer.id, id);
  await announceProject(services, projectId);
}

/** Undoes a deletion. */
export async function restoreThread(services: Services, id: string, viewer: Reader): Promise<ThreadSummary> {
  const { database } = services;
  const restored = await database.thread.updateMany({
    where: { id, ...readableBy(viewer), ownerId: viewer.id },
    data: { deletedAt: null },
  });
  if (restored.count === 0) throw noThread();
  await database.thread.updateMany({ where: { parentThreadId: id }, data: { deletedAt: null } });
  tellOpenPages(viewer.id, id);
  const thread = await requireOwnThread(database, id, viewer);
  await announceProject(services, thread.projectId);
  return describeOne(database, thread, viewer);
}

async function describeOne(
  database: Database,
  row: Parameters<typeof describeThreads>[1][number],
  viewer: Reader,
): Promise<ThreadSummary> {
  const [summary] = await describeThreads(database, [row], viewer);
  if (!summary) throw noThread();
  return summary;
}

/** Makes the owner's other tabs and devices reload the list. */
function tellOpenPages(ownerId: string, threadId: string): void {
  announceToUser(ownerId, { type: "thread.changed", threadId });
}
