import { CreateProjectBody, Project, ProjectList, ProjectQuery } from "@/lib/schema/projects/project";
import { json } from "@/lib/server/http/reply";
import { createProject, listProjects } from "@/lib/server/threads/projects/projects";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ProjectQuery,
    reply: ProjectList,
    summary: "The projects that you are a member of, by name",
  },
  async ({ viewer, query }) => json(await listProjects(viewer, query), { schema: ProjectList }),
);

export const POST = defineRoute(
  { access: "chat", body: CreateProjectBody, reply: Project, status: 201, summary: "Create a project; you own it" },
  async ({ viewer, body }) => json(await createProject(body, viewer), { status: 201, schema: Project }),
);
