import { AppError } from "@/lib/schema/app-error";
import type { Reader } from "@/lib/schema/users/user";
import { homeInReach } from "@/lib/server/platform/within-reach";

/**
 * The threads that a person can read: their own, and those of the projects that they are a member of. A deleted
 * project's threads are only readable by those who started them, unless they had left the project. With a key that is
 * limited to some agents, only the threads of those.
 */
export function readableBy({ id: userId, reach }: Reader) {
  const members = { some: { userId } };
  return {
    ...homeInReach({ reach }),
    OR: [
      { ownerId: userId, projectId: null },
      { project: { deletedAt: null, members } },
      { ownerId: userId, project: { deletedAt: { not: null }, members } },
    ],
  };
}

/** Of all threads that a person can't read, and those that do not exist. */
export function noThread(): AppError {
  return new AppError("not_found", "Thread not found.");
}
