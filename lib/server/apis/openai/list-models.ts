import "server-only";
import type { z } from "zod";
import type { ModelList } from "@/lib/schema/apis/openai";
import { database } from "@/lib/server/platform/db/database";

/** Every agent as `agent:<id>`, and each name of its versions as `agent:<id>@<alias>`; the agent's model is not shown. */
export async function listModels(): Promise<z.infer<typeof ModelList>> {
  const agents = await database().agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null } },
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
