/**
 * Which threads a person reads: their own, and those of the projects that they are a member of. Threads of a deleted
 * project are only their starter's, and no longer those of people who had left it.
 */
export function readableBy(userId: string) {
  const members = { some: { userId } };
  return {
    OR: [
      { ownerId: userId, projectId: null },
      { project: { deletedAt: null, members } },
      { ownerId: userId, project: { deletedAt: { not: null }, members } },
    ],
  };
}
