/**
 * The threads that a person can read: their own, and those of the projects that they are a member of. A deleted
 * project's threads are only readable by those who started them, unless they had left the project.
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
