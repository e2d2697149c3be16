import "server-only";
import { z } from "zod";
import type { AgentDetailList, RawConfig } from "@/lib/schema/agents/agent-api";
import { PromptFile } from "@/lib/schema/agents/prompt";
import { readYamlFields } from "@/lib/server/agents/config/read-config";
import { type CurrentVersion, getCurrentVersion, hashConfig, writtenConfig } from "@/lib/server/agents/publish-version";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { userNames } from "@/lib/server/users/user-names";

interface CreatedAs {
  readonly agentId: string;
  readonly raw: RawConfig;
  readonly yaml: string;
  readonly files: readonly PromptFile[];
  readonly createdById: string;
}

/**
 * The queries that add an agent without a published version: what it was created as, as a version without a number, and
 * the first revision of its draft.
 */
export function unpublishedQueries(database: Database, { agentId, raw, yaml, files, createdById }: CreatedAs) {
  const id = createId("av");
  const content = { config: JSON.stringify(raw), configHash: hashConfig(raw), yaml };
  return [
    database.agent.create({ data: { id: agentId } }),
    database.agentVersion.create({ data: { id, agentId, draftRevision: 1, createdById, ...content } }),
    database.agentVersionFile.createMany({
      data: files.map((file) => ({ name: file.name, content: file.content, agentVersionId: id })),
    }),
    database.agentDraft.create({ data: { agentId, revision: 1, yaml, baseVersion: 0, savedById: createdById } }),
  ];
}

/**
 * What a draft is compared with: the published version or, as number 0, what an unpublished agent was created as. Throws
 * `not_found` for an unknown or deleted agent.
 */
export async function getBase(database: Database, agentId: string): Promise<CurrentVersion> {
  const created = await findCreatedAs(database, agentId);
  if (created === null) return getCurrentVersion(database, agentId);
  const { id, configHash, createdAt, createdById, files } = created;
  return {
    ...{ id, number: 0, configHash, createdAt, createdById },
    files: z.array(PromptFile).parse(files),
    ...writtenConfig(created),
  };
}

/** The version without a number that an unpublished agent was created as; null for any other agent. */
export async function findCreatedAs(database: Database, agentId: string) {
  return database.agentVersion.findFirst({
    where: { agentId, number: null, agent: { currentVersionId: null, deletedAt: null } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    include: { files: true },
  });
}

const Described = z.object({ name: z.string().min(1), description: z.string().optional() });

/** The agents of which no version is published, the latest change first; for admins. */
export async function listUnpublished(database: Database): Promise<NonNullable<AgentDetailList["drafts"]>> {
  const rows = await database.agentDraft.findMany({
    where: { endedAt: null, agent: { deletedAt: null, currentVersionId: null } },
    orderBy: [{ createdAt: "desc" }, { agentId: "asc" }],
    select: { agentId: true, yaml: true, createdAt: true, savedById: true },
  });
  const names = await userNames(
    database,
    rows.map(({ savedById }) => savedById),
  );
  return rows.map(({ agentId, yaml, createdAt, savedById }) => {
    const { name, description = "" } = Described.safeParse(readYamlFields(yaml) ?? {}).data ?? { name: agentId };
    const updatedByName = names.get(savedById ?? "") ?? null;
    return { id: agentId, name, description, updatedAt: createdAt.toISOString(), updatedByName };
  });
}

/** The names in the drafts of these agents, by id. */
export async function draftNames(database: Database, agentIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await database.agentDraft.findMany({
    where: { agentId: { in: [...agentIds] }, endedAt: null },
    select: { agentId: true, yaml: true },
  });
  return new Map(
    rows.flatMap(({ agentId, yaml }) => {
      const name = Described.safeParse(readYamlFields(yaml) ?? {}).data?.name;
      return name === undefined ? [] : [[agentId, name] as const];
    }),
  );
}
