import type { Database } from "@/lib/server/platform/db/database";

/** Null for an unknown or deleted agent. */
export async function selectCurrentVersionId(database: Database, agentId: string): Promise<string | null> {
  const [agent] = await database.raw<{ currentVersionId: string | null }>(
    `select "currentVersionId" from "agent" where "id" = $1 and "deletedAt" is null`,
    [agentId],
  );
  return agent?.currentVersionId ?? null;
}

interface CurrentVersion {
  readonly agentId: string;
  readonly versionId: string;
}

/** Of every agent, deleted ones included. */
export function selectCurrentVersions(database: Database): Promise<CurrentVersion[]> {
  return database.raw<CurrentVersion>(
    `select "id" as "agentId", "currentVersionId" as "versionId" from "agent" where "currentVersionId" is not null`,
  );
}
