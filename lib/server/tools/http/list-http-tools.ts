import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import { clientThreadId } from "@/lib/server/engine/children/run-tree";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { type CallbackEnvironment, createHttpTool } from "./http-tool";
import { definitionOf } from "./stored-http-tool";

/** Every HTTP tool, or only those in `names`, as tools that can be called now. */
export async function listHttpTools(names?: readonly string[]): Promise<Tool[]> {
  const rows = await database().httpTool.findMany({
    where: names ? { name: { in: [...names] } } : {},
    orderBy: { name: "asc" },
  });
  const environment: CallbackEnvironment = {
    rules: { allowedPrivateHosts: env().allowedPrivateHosts },
    clientThreadId: (threadId) => clientThreadId(database(), threadId),
  };
  return rows.map((row) => createHttpTool(definitionOf(row), environment));
}
