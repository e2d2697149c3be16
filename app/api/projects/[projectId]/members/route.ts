import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ProjectMemberList, SetMemberBody } from "@/lib/schema/projects/project";
import { json } from "@/lib/server/http/reply";
import { setMember } from "@/lib/server/threads/projects/project-members";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ projectId: RowId }),
    body: SetMemberBody,
    reply: ProjectMemberList,
    summary: "Add a member to a project or change their role, for its owners",
  },
  async ({ services, params: { projectId }, viewer, body }) =>
    json({ members: await setMember(services, projectId, body, viewer) }, { schema: ProjectMemberList }),
);
