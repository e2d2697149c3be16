import "server-only";
import type { ThreadOriginGroup } from "@/lib/schema/threads/thread";
import type { Reader } from "@/lib/schema/users/user";
import { draftNames } from "@/lib/server/agents/drafts/unpublished";
import type { Database } from "@/lib/server/platform/db/database";
import { selectOriginGroups } from "@/lib/server/platform/db/queries/search/thread-origins";
import { agentNames } from "@/lib/server/threads/thread-row";

/** The viewer's threads that something else than a message started, by what it was; the latest change first. */
export async function listOriginGroups(
  database: Database,
  { id: ownerId, reach }: Reader,
): Promise<ThreadOriginGroup[]> {
  const rows = await selectOriginGroups(database, { ownerId, reach });
  if (rows.length === 0) return [];
  const idsOf = (isWanted: (origin: string) => boolean) =>
    rows.flatMap(({ origin, triggerId }) => (isWanted(origin) ? (triggerId ?? []) : []));
  const agentIds = idsOf((origin) => origin === "draft");
  const [triggers, boards, agents, drafts] = await Promise.all([
    named(
      idsOf((origin) => origin !== "draft" && origin !== "board"),
      (where) => database.trigger.findMany({ where, select: { id: true, name: true } }),
    ),
    named(
      idsOf((origin) => origin === "board"),
      (where) => database.board.findMany({ where, select: { id: true, name: true } }),
    ),
    agentIds.length === 0 ? new Map<string, string>() : agentNames(database, agentIds),
    agentIds.length === 0 ? new Map<string, string>() : draftNames(database, agentIds),
  ]);
  return rows.map(({ origin, triggerId, title, threads, lastAt }) => {
    const id = triggerId ?? "";
    const name = origin === "draft" ? (drafts.get(id) ?? agents.get(id)) : (boards.get(id) ?? triggers.get(id));
    return { origin, triggerId, title: name ?? title ?? (id || "Deleted"), threads, lastAt: lastAt.toISOString() };
  });
}

async function named(
  ids: readonly string[],
  find: (where: { id: { in: string[] } }) => Promise<readonly { readonly id: string; readonly name: string }[]>,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map((await find({ id: { in: [...ids] } })).map(({ id, name }) => [id, name]));
}
