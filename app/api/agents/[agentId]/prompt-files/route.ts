import { z } from "zod";
import { PromptFileList, SavePromptFilesBody } from "@/lib/schema/agents/prompt";
import { RowId } from "@/lib/schema/page-query";
import { listPromptFiles, savePromptFiles } from "@/lib/server/agents/prompt/prompt-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: PromptFileList, summary: "Prompt files of the published version" },
  async ({ services, params: { agentId } }) =>
    json(await listPromptFiles(services.database, agentId), { schema: PromptFileList }),
);

export const PUT = defineRoute(
  {
    access: "admin",
    params,
    body: SavePromptFilesBody,
    reply: PromptFileList,
    summary: "Publish a version with these prompt files; null removes one",
  },
  async ({ services, params: { agentId }, body, viewer }) =>
    json(await savePromptFiles(services, agentId, body, viewer), { schema: PromptFileList }),
);
