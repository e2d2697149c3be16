import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RemovedMember } from "@/lib/schema/projects/project";
import { json } from "@/lib/server/http/reply";
import { removeMember } from "@/lib/server/threads/projects/project-members";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "chat",
    params: z.object({ projectId: RowId, userId: RowId }),
    reply: RemovedMember,
    summary: "Remove a member, or leave a project yourself: their runs in it are stopped, their threads stay with it",
  },
  async ({ services, params: { projectId, userId }, viewer }) =>
    json(await removeMember(services, projectId, userId, viewer), { schema: RemovedMember }),
);
