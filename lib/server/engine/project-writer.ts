import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";

/** Throws `forbidden` with a message for readers and for non-members, `conflict` once the project is deleted. */
export async function requireProjectWriter(database: Database, projectId: string, userId: string): Promise<void> {
  const project = await database.project.findUnique({ where: { id: projectId }, select: { deletedAt: true } });
  if (project === null || project.deletedAt !== null) throw new AppError("conflict", GONE);
  const member = await database.projectMember.findUnique({
    where: { projectId_userId: { projectId, userId } },
    select: { role: true },
  });
  if (member?.role === "owner" || member?.role === "write") return;
  const owner = (await ownerNames(database, [projectId])).get(projectId) ?? "an owner of the project";
  throw new AppError("forbidden", `You can read here. Ask ${owner} to write.`);
}

const GONE =
  "The project of this thread was deleted. Move the thread out of it, or restore the project, then send again.";

/** The name of each project's first owner. */
export async function ownerNames(database: Database, projectIds: readonly string[]): Promise<Map<string, string>> {
  const owners = await database.projectMember.findMany({
    where: { projectId: { in: [...projectIds] }, role: "owner" },
    orderBy: [{ createdAt: "desc" }, { userId: "desc" }],
    select: { projectId: true, user: { select: { name: true } } },
  });
  return new Map(owners.map(({ projectId, user }) => [projectId, user.name]));
}
