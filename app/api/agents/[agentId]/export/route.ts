import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { exportAgent } from "@/lib/server/agents/import-agents";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    query: z.strictObject({ format: z.enum(["yaml", "json"]).default("yaml") }),
    produces: "application/yaml",
    summary: "Download an agent as YAML, or with format=json as JSON, that the import takes",
  },
  async ({ services, params: { agentId }, query: { format } }) =>
    download(await exportAgent(services, agentId, format), {
      fileName: `${agentId}.${format}`,
      contentType: `application/${format}`,
    }),
);
