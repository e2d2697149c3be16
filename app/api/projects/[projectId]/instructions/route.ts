import { z } from "zod";
import { PageQuery, RowId } from "@/lib/schema/page-query";
import { ProjectInstructionsList } from "@/lib/schema/projects/project";
import { json } from "@/lib/server/http/reply";
import { listInstructions } from "@/lib/server/threads/projects/projects";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ projectId: RowId }),
    query: PageQuery,
    reply: ProjectInstructionsList,
    summary: "Every version of a project's instructions, newest first",
  },
  async ({ services, params: { projectId }, query, viewer }) =>
    json(await listInstructions(services.database, projectId, query, viewer), { schema: ProjectInstructionsList }),
);
