import "server-only";
import { AliasName } from "@/lib/schema/agents/agent-version";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope } from "@/lib/schema/users/user";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";

/**
 * The version with this alias or, for admins, this number; without a name, the published version. Numbers are for
 * admins only because an old version may allow more than the current one. Throws `forbidden`, and `not_found` for an
 * unknown name.
 */
export async function namedVersion(
  services: Services,
  agentId: string,
  name: string | undefined,
  viewer: AgentViewer,
): Promise<AgentVersion> {
  const { database } = services;
  const current = await loadCurrentVersion(database, agentId, accessOf(viewer));
  if (name === undefined) return current;
  const isAlias = AliasName.safeParse(name).success;
  if (!isAlias && !hasAdminScope(viewer)) throw new AppError("forbidden", ONLY_ALIASES);
  const number = isAlias ? await numberOf(database, agentId, name) : toNumber(name);
  const row =
    number === null
      ? null
      : await database.agentVersion.findUnique({
          where: { agentId_number: { agentId, number } },
          select: { id: true },
        });
  if (!row)
    throw new AppError("not_found", `The agent has no version "${name}".${name === "draft" ? IN_TEST_THREADS : ""}`);
  return loadAgentVersion(database, row.id);
}

const ONLY_ALIASES =
  'Name a version by its alias. Numbers and drafts need the scope "admin", since an old version may allow more.';
const IN_TEST_THREADS = " A draft runs in a test thread: POST /api/threads with draft: true.";

async function numberOf(database: Database, agentId: string, name: string): Promise<number | null> {
  const where = { agentId_name: { agentId, name } };
  const alias = await database.agentAlias.findUnique({ where, select: { version: true } });
  return alias?.version ?? null;
}

function toNumber(name: string): number | null {
  return /^[1-9]\d{0,8}$/.test(name) ? Number(name) : null;
}
