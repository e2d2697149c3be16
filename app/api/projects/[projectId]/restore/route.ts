import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Project } from "@/lib/schema/projects/project";
import { json } from "@/lib/server/http/reply";
import { restoreProject } from "@/lib/server/threads/projects/projects";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "chat", params: z.object({ projectId: RowId }), reply: Project, summary: "Undo the deletion of a project" },
  async ({ services, params: { projectId }, viewer }) =>
    json(await restoreProject(services, projectId, viewer), { schema: Project }),
);
