import "server-only";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import { normalizePath } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { MemoryKind } from "@/lib/schema/files/memory";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf, reachableWhere } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { userNames } from "@/lib/server/users/user-names";
import { type DocumentKey, noDocument, parseMemoryId } from "./memory-id";

/** A workspace the viewer may see, with the agent whose files it contains. */
export interface MemoryPlace {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly config: AgentConfig;
  /** Null if all users of the agent share the files. */
  readonly userId: string | null;
  readonly userName: string | null;
  readonly threadId: string | null;
  /** `memory.paths`, normalised. */
  readonly memoryPaths: readonly string[];
}

/** A document the viewer may see, whether or not it currently exists. */
export interface MemoryFile extends DocumentKey {
  readonly place: MemoryPlace;
  readonly kind: MemoryKind;
}

interface WorkspaceRow {
  readonly id: string;
  readonly agentId: string;
  readonly ownerId: string | null;
  readonly threadId: string | null;
}

interface PlaceFilter {
  readonly agentId?: string | undefined;
  readonly userId?: string | undefined;
}

const COLUMNS = { id: true, agentId: true, ownerId: true, threadId: true } as const;
/** If there are more, a query by agent or user finds the rest. */
const MAX_PLACES = 10_000;

/**
 * The workspaces in use whose memory the viewer may see: their own and those shared by all users of an agent; an admin
 * sees everybody's. A `userId` the viewer may not ask about yields nothing.
 */
export async function listMemoryPlaces(
  database: Database,
  viewer: Viewer,
  { agentId, userId }: PlaceFilter,
): Promise<MemoryPlace[]> {
  const wanted = userId === undefined ? [] : [{ OR: [{ ownerId: userId }, { ownerId: null }] }];
  const rows = await database.workspace.findMany({
    where: { ...(agentId === undefined ? {} : { agentId }), AND: [visibleTo(viewer), ...wanted] },
    orderBy: { createdAt: "desc" },
    take: MAX_PLACES,
    select: COLUMNS,
  });
  return toPlaces(database, rows, viewer);
}

function visibleTo(viewer: Viewer) {
  return hasAdminScope(viewer) ? {} : { OR: [{ ownerId: viewer.id }, { ownerId: null }] };
}

/** The document with this id. Someone else's is `not_found`, as is a file that is not a memory document. */
export async function findMemoryFile(services: Services, id: string, viewer: Viewer): Promise<MemoryFile> {
  const { workspaceId, path } = parseMemoryId(id);
  const row = await services.database.workspace.findFirst({
    where: { id: workspaceId, AND: [visibleTo(viewer)] },
    select: COLUMNS,
  });
  const [place] = row ? await toPlaces(services.database, [row], viewer) : [];
  const kind = place ? memoryKind(path, place.memoryPaths) : null;
  if (!place || kind === null) throw noDocument();
  return { workspaceId, path, place, kind };
}

/**
 * Omits workspaces of deleted agents and threads, of test threads, of agents the viewer can't reach, and of a scope
 * that the agent no longer has.
 */
async function toPlaces(database: Database, rows: readonly WorkspaceRow[], viewer: Viewer): Promise<MemoryPlace[]> {
  const configs = await loadConfigs(database, [...new Set(rows.map(({ agentId }) => agentId))], viewer);
  const [names, threads] = await Promise.all([
    userNames(
      database,
      rows.map(({ ownerId }) => ownerId),
    ),
    openThreads(
      database,
      rows.flatMap(({ threadId }) => threadId ?? []),
    ),
  ]);
  return rows.flatMap((row) => {
    const config = configs.get(row.agentId);
    if (!config?.backend || config.backend.scope !== scopeOf(row)) return [];
    if (row.threadId !== null && !threads.has(row.threadId)) return [];
    const { workdir } = config.backend;
    return {
      workspaceId: row.id,
      agentId: row.agentId,
      config,
      userId: row.ownerId,
      userName: names.get(row.ownerId ?? "") ?? null,
      threadId: row.threadId,
      memoryPaths: config.memory.paths.map((path) => normalizePath(path, workdir)),
    };
  });
}

function scopeOf({ ownerId, threadId }: WorkspaceRow): "agent" | "user" | "thread" {
  if (ownerId === null) return "agent";
  return threadId === null ? "user" : "thread";
}

async function loadConfigs(
  database: Database,
  agentIds: readonly string[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, AgentConfig>> {
  const agents = await database.agent.findMany({
    where: {
      id: { in: [...agentIds] },
      deletedAt: null,
      currentVersionId: { not: null },
      ...reachableWhere(accessOf(viewer)),
    },
    select: { id: true, currentVersionId: true },
  });
  const versions = await Promise.all(
    agents.map(async ({ id, currentVersionId }) => {
      const version = await loadVersionOrNull(database, currentVersionId ?? "");
      return version && ([id, version.config] as const);
    }),
  );
  return new Map(versions.filter((entry) => entry !== null));
}

async function openThreads(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const threads = await database.thread.findMany({
    where: { id: { in: [...new Set(ids)] }, deletedAt: null, isTest: false },
    select: { id: true },
  });
  return new Set(threads.map(({ id }) => id));
}
