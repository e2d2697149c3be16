import "server-only";
import type { AgentAlias } from "@/lib/schema/agents/agent-version";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { getCurrentVersion } from "@/lib/server/agents/publish-version";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { userNames } from "@/lib/server/users/user-names";

/** The aliases of an agent's versions, in alphabetical order. Throws `not_found` for an unknown or deleted agent. */
export async function listAliases(database: Database, agentId: string, viewer: AgentViewer): Promise<AgentAlias[]> {
  await loadCurrentVersion(database, agentId, accessOf(viewer));
  const rows = await database.agentAlias.findMany({ where: { agentId }, orderBy: { name: "asc" } });
  return describe(database, rows);
}

/** Gives the version an alias, taking it from any other version. Throws `not_found` for an unknown version. */
export async function setAlias(
  services: Services,
  agentId: string,
  { name, version }: Pick<AgentAlias, "name" | "version">,
  viewer: Viewer,
): Promise<AgentAlias> {
  const { database } = services;
  await getCurrentVersion(database, agentId);
  const key = { agentId_number: { agentId, number: version } };
  const known = await database.agentVersion.findUnique({ where: key, select: { id: true } });
  if (!known) throw new AppError("not_found", `The agent has no version ${version}.`);
  const before = await database.agentAlias.findUnique({ where: { agentId_name: { agentId, name } } });
  const row = { version, updatedById: viewer.id, updatedAt: new Date() };
  await database.$transaction([
    database.agentAlias.upsert({
      where: { agentId_name: { agentId, name } },
      create: { agentId, name, ...row },
      update: row,
    }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "agent.alias_set",
      target: `agent:${agentId}`,
      ...(before ? { before: { [name]: before.version } } : {}),
      after: { [name]: version },
    }),
  ]);
  const [alias] = await describe(database, [{ name, ...row }]);
  if (!alias) throw new Error("one alias in, one out");
  return alias;
}

/** Throws `not_found` if no version has the alias. */
export async function removeAlias(services: Services, agentId: string, name: string, viewer: Viewer): Promise<void> {
  const known = await services.database.agentAlias.findUnique({ where: { agentId_name: { agentId, name } } });
  if (!known) throw new AppError("not_found", `No version of this agent is named "${name}".`);
  await services.database.$transaction([
    services.database.agentAlias.deleteMany({ where: { agentId, name } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "agent.alias_removed",
      target: `agent:${agentId}`,
      before: { [name]: known.version },
    }),
  ]);
}

interface AliasRow {
  readonly name: string;
  readonly version: number;
  readonly updatedById: string | null;
  readonly updatedAt: Date;
}

async function describe(database: Database, rows: readonly AliasRow[]): Promise<AgentAlias[]> {
  const names = await userNames(
    database,
    rows.map(({ updatedById }) => updatedById),
  );
  return rows.map(({ name, version, updatedById, updatedAt }) => ({
    name,
    version,
    updatedAt: updatedAt.toISOString(),
    updatedByName: names.get(updatedById ?? "") ?? null,
  }));
}
