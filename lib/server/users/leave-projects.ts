import "server-only";
import type { Database } from "@/lib/server/platform/db/database";

const NEXT: Readonly<Record<string, number>> = { write: 0, read: 1 };

/**
 * Removes the person from all projects; if they were a project's last owner, its next writer, or otherwise reader,
 * becomes owner.
 */
export async function leaveProjects(database: Database, userId: string) {
  const owned = await database.project.findMany({
    where: {
      members: { some: { userId, role: "owner" } },
      NOT: { members: { some: { role: "owner", userId: { not: userId } } } },
    },
    select: { id: true, members: { where: { userId: { not: userId } }, orderBy: { createdAt: "asc" } } },
  });
  const heirs = owned.flatMap(({ members }) => {
    const [heir] = members.toSorted((a, b) => (NEXT[a.role] ?? 0) - (NEXT[b.role] ?? 0));
    return heir ? [{ projectId: heir.projectId, userId: heir.userId }] : [];
  });
  return [
    ...heirs.map((key) =>
      database.projectMember.update({
        where: { projectId_userId: key },
        data: { role: "owner" },
        select: { userId: true },
      }),
    ),
    database.projectMember.deleteMany({ where: { userId } }),
  ];
}
