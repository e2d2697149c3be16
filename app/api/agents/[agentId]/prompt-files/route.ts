import { z } from "zod";
import { PromptFileList, SavePromptFilesBody } from "@/lib/schema/agents/prompt";
import { RowId } from "@/lib/schema/page-query";
import { listPromptFiles, savePromptFiles } from "@/lib/server/agents/prompt/prompt-files";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: PromptFileList, summary: "Prompt files of the published version" },
  async ({ params: { agentId } }) => json(await listPromptFiles(database(), agentId), { schema: PromptFileList }),
);

export const PUT = defineRoute(
  {
    access: "admin",
    params,
    body: SavePromptFilesBody,
    reply: PromptFileList,
    summary: "Publish a version with these prompt files; null removes one",
  },
  async ({ params: { agentId }, body, viewer }) =>
    json(await savePromptFiles(processServices(), agentId, body, viewer), { schema: PromptFileList }),
);
