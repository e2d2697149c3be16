import "server-only";
import type { AgentVersionDetail, AgentVersionSummary } from "@/lib/schema/agents/agent-api";
import { AppError } from "@/lib/schema/app-error";
import { getBase } from "@/lib/server/agents/drafts/unpublished";
import { getCurrentVersion, PUBLISHED, writtenConfig } from "@/lib/server/agents/publish-version";
import type { Database } from "@/lib/server/platform/db/database";
import { userNames } from "@/lib/server/users/user-names";

const MAX_LISTED = 500;

/** Published versions, newest first; none while there is only a draft. Throws `not_found` for an unknown or deleted agent. */
export async function listVersions(database: Database, agentId: string): Promise<{ versions: AgentVersionSummary[] }> {
  const current = await getBase(database, agentId);
  const rows = await database.agentVersion.findMany({
    where: { agentId, ...PUBLISHED },
    orderBy: { number: "desc" },
    take: MAX_LISTED,
    select: { id: true, number: true, note: true, createdAt: true, createdById: true },
  });
  const [names, aliases] = await Promise.all([
    userNames(
      database,
      rows.map((row) => row.createdById),
    ),
    database.agentAlias.findMany({ where: { agentId }, orderBy: { name: "asc" } }),
  ]);
  return {
    versions: rows.map(({ id, number, note, createdAt, createdById }) => ({
      number: number ?? 0,
      aliases: aliases.flatMap(({ name, version }) => (version === number ? [name] : [])),
      note,
      createdAt: createdAt.toISOString(),
      createdByName: names.get(createdById ?? "") ?? null,
      current: id === current.id,
    })),
  };
}

/** One version with its config. Throws `not_found`. */
export async function getVersion(database: Database, agentId: string, number: number): Promise<AgentVersionDetail> {
  const current = await getCurrentVersion(database, agentId);
  const row = await database.agentVersion.findUnique({ where: { agentId_number: { agentId, number } } });
  if (!row) throw new AppError("not_found", `The agent has no version ${number}.`);
  const [names, aliases] = await Promise.all([
    userNames(database, [row.createdById]),
    database.agentAlias.findMany({ where: { agentId, version: number }, orderBy: { name: "asc" } }),
  ]);
  const { raw: config, yaml } = writtenConfig(row);
  return {
    number,
    aliases: aliases.map(({ name }) => name),
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdByName: names.get(row.createdById ?? "") ?? null,
    current: row.id === current.id,
    config,
    yaml,
  };
}
