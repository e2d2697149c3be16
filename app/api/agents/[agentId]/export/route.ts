import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { exportAgent } from "@/lib/server/agents/import-agents";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    produces: "application/yaml",
    summary: "Download an agent as YAML that the import takes",
  },
  async ({ params: { agentId } }) =>
    download(await exportAgent(agentId), { fileName: `${agentId}.yaml`, contentType: "application/yaml" }),
);
