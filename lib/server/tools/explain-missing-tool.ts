import "server-only";
import { notOfThisAgent } from "@/lib/hooks/missing-tool";
import { HttpToolName } from "@/lib/schema/tools/http-tool-name";
import type { Database } from "@/lib/server/platform/db/database";

/**
 * Why an agent lacks a tool of the installation that is not built in, as the model reads it. The name may be any text a
 * model invented; null if nothing is known by that name.
 */
export async function explainMissingTool(database: Database, name: string): Promise<string | null> {
  if (name.startsWith("mcp__")) {
    const { explainMissingMcpTool } = await import("./mcp/mcp-tools");
    return explainMissingMcpTool(database, name);
  }
  const isHttp = HttpToolName.safeParse(name).success && (await database.httpTool.count({ where: { name } })) > 0;
  return isHttp ? notOfThisAgent(name) : null;
}
