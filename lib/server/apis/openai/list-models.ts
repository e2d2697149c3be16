import "server-only";
import type { z } from "zod";
import type { Model, ModelList } from "@/lib/schema/apis/openai";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf, reachableWhere } from "@/lib/server/platform/db/queries/agent-access";
import { unknownModel } from "./openai-error";

/**
 * Every agent the viewer can reach as `agent:<id>`, and each of its version aliases as `agent:<id>@<alias>`; the
 * agent's model is not shown.
 */
export async function listModels(database: Database, viewer: AgentViewer): Promise<z.infer<typeof ModelList>> {
  const agents = await database.agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null }, ...reachableWhere(accessOf(viewer)) },
    orderBy: { id: "asc" },
    select: { id: true, createdAt: true, aliases: { orderBy: { name: "asc" }, select: { name: true } } },
  });
  const data = agents.flatMap(({ id, createdAt, aliases }) =>
    [`agent:${id}`, ...aliases.map(({ name }) => `agent:${id}@${name}`)].map((model) => ({
      id: model,
      object: "model" as const,
      created: Math.floor(createdAt.getTime() / 1_000),
      owned_by: "ringmaster",
    })),
  );
  return { object: "list", data };
}

/** One of them; its name may still be written as in an address (`agent%3Acoder`). Throws `not_found` if the viewer has none of that name. */
export async function findModel(database: Database, name: string, viewer: AgentViewer): Promise<z.infer<typeof Model>> {
  const { data } = await listModels(database, viewer);
  const found = data.find(({ id }) => id === name || encodeURIComponent(id) === name);
  if (!found) throw unknownModel(name);
  return found;
}
