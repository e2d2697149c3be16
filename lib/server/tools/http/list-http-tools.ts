import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import { clientThreadId } from "@/lib/server/engine/children/run-tree";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { type CallbackEnvironment, createHttpTool } from "./http-tool";
import { definitionOf, descriptionOf } from "./stored-http-tool";

/**
 * Every HTTP tool, or only those in `names`, as tools that can be called now. One whose row can't be read is left out;
 * one whose secret can't is told so by its calls.
 */
export async function listHttpTools(names?: readonly string[]): Promise<Tool[]> {
  const rows = await database().httpTool.findMany({
    where: names ? { name: { in: [...names] } } : {},
    orderBy: { name: "asc" },
  });
  const environment: CallbackEnvironment = {
    rules: { allowedPrivateHosts: env().allowedPrivateHosts },
    clientThreadId: (threadId) => clientThreadId(database(), threadId),
  };
  return rows.flatMap((row) => {
    try {
      return [createHttpTool(descriptionOf(row), () => definitionOf(row), environment)];
    } catch (error) {
      logger().error({ err: error, tool: row.name }, "an HTTP tool is left out");
      return [];
    }
  });
}
