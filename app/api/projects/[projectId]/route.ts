import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Project, UpdateProjectBody } from "@/lib/schema/projects/project";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteProject, getProject, updateProject } from "@/lib/server/threads/projects/projects";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ projectId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: Project, summary: "One project with its instructions and members" },
  async ({ services, params: { projectId }, viewer }) =>
    json(await getProject(services.database, projectId, viewer), { schema: Project }),
);

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateProjectBody,
    reply: Project,
    summary: "Change a project, for its owners; other instructions become their next version",
  },
  async ({ services, params: { projectId }, viewer, body }) =>
    json(await updateProject(services, projectId, body, viewer), { schema: Project }),
);

export const DELETE = defineRoute(
  {
    access: "chat",
    params,
    status: 204,
    summary: "Delete a project, for its owners: its runs are stopped; POST /restore undoes it",
  },
  async ({ services, params: { projectId }, viewer }) => {
    await deleteProject(services, projectId, viewer);
    return noContent();
  },
);
