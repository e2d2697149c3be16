import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import { clientThreadId } from "@/lib/server/engine/children/run-tree";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { type CallbackEnvironment, createHttpTool } from "./http-tool";
import { definitionOf, descriptionOf } from "./stored-http-tool";

/**
 * Every HTTP tool, or only those in `names`, as tools that can be called now. One whose row can't be read is left out;
 * one whose secret can't is told so by its calls.
 */
export async function listHttpTools(services: Services, names?: readonly string[]): Promise<Tool[]> {
  const rows = await services.database.httpTool.findMany({
    where: names ? { name: { in: [...names] } } : {},
    orderBy: { name: "asc" },
  });
  const environment: CallbackEnvironment = {
    rules: { allowedPrivateHosts: env().allowedPrivateHosts },
    clientThreadId: (threadId) => clientThreadId(services.database, threadId),
  };
  return readEach(rows, "HTTP tool", (row) => createHttpTool(descriptionOf(row), () => definitionOf(row), environment));
}
