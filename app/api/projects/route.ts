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
  async ({ services, viewer, query }) =>
    json(await listProjects(services.database, viewer, query), { schema: ProjectList }),
);

export const POST = defineRoute(
  { access: "chat", body: CreateProjectBody, reply: Project, status: 201, summary: "Create a project; you own it" },
  async ({ services, viewer, body }) =>
    json(await createProject(services, body, viewer), { status: 201, schema: Project }),
);
