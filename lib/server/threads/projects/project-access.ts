import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { ProjectRole } from "@/lib/schema/projects/thread-project";
import type { Reader } from "@/lib/schema/users/user";
import { ownerNames, requireProjectWriter } from "@/lib/server/engine/project-writer";
import type { Database } from "@/lib/server/platform/db/database";
import { requireWholePerson } from "@/lib/server/platform/within-reach";

/** Throws `not_found` for non-members, and `forbidden` with an explanation if the role is insufficient or the key limited. */
export async function requireProjectRole(
  database: Database,
  projectId: string,
  { id: userId, reach }: Reader,
  needed: ProjectRole,
): Promise<void> {
  const row = await database.projectMember.findFirst({
    where: { projectId, userId, project: { deletedAt: null } },
    select: { role: true },
  });
  if (!row) throw noProject();
  const role = ProjectRole.parse(row.role);
  if (needed === "owner") requireWholePerson({ reach });
  if (needed === "write") await requireProjectWriter(database, projectId, userId);
  if (needed !== "owner" || role === "owner") return;
  const name = (await ownerNames(database, [projectId])).get(projectId) ?? "an owner";
  throw new AppError("forbidden", `Only owners change the project. Ask ${name}.`);
}

export function noProject(): AppError {
  return new AppError("not_found", "There is no such project.");
}
