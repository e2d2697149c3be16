import "server-only";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { ProjectMember, RemovedMember, SetMemberBody } from "@/lib/schema/projects/project";
import { ProjectRole } from "@/lib/schema/projects/thread-project";
import { OPEN_STATUSES } from "@/lib/schema/runs/run";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { cancelOpenRuns } from "@/lib/server/engine/ending/cancel";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { requireWholePerson } from "@/lib/server/platform/within-reach";
import { announceProject } from "./announce-project";
import { requireProjectRole } from "./project-access";

const ORDER: Readonly<Record<ProjectRole, number>> = { owner: 0, write: 1, read: 2 };

/** Owners first, then writers, each in order of joining. */
export async function listMembers(database: Database, projectId: string): Promise<ProjectMember[]> {
  const [rows, open] = await Promise.all([
    database.projectMember.findMany({
      where: { projectId },
      orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
      select: { userId: true, role: true, user: { select: { name: true } } },
    }),
    database.run.groupBy({
      by: ["ownerId"],
      where: { projectId, parentRunId: null, status: { in: [...OPEN_STATUSES] }, heldAt: null },
      _count: true,
    }),
  ]);
  const running = new Map(open.map(({ ownerId, _count }) => [ownerId, _count]));
  return rows
    .map(({ userId, role, user }) => ({
      userId,
      name: user.name,
      role: ProjectRole.parse(role),
      openRuns: running.get(userId) ?? 0,
    }))
    .sort((a, b) => ORDER[a.role] - ORDER[b.role]);
}

/** Owners only: adds a person, or changes their role. Throws `invalid_input` for a person without an account. */
export async function setMember(
  services: Services,
  projectId: string,
  body: SetMemberBody,
  viewer: Viewer,
): Promise<ProjectMember[]> {
  const { database } = services;
  await requireProjectRole(database, projectId, viewer, "owner");
  const { id: userId } = await requireUser(database, body);
  const key = { projectId, userId };
  const before = await database.projectMember.findUnique({ where: { projectId_userId: key }, select: { role: true } });
  if (before?.role === body.role) return listMembers(database, projectId);
  if (before?.role === "owner") await requireAnotherOwner(database, projectId, userId);
  await database.$transaction([
    database.projectMember.upsert({
      where: { projectId_userId: key },
      create: { ...key, role: body.role },
      update: { role: body.role },
    }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "project.member_set",
      target: `project:${projectId}`,
      ...(before ? { before: { userId, role: before.role } } : {}),
      after: { userId, role: body.role },
    }),
  ]);
  await announceProject(services, projectId);
  return listMembers(database, projectId);
}

/**
 * Owners can remove anyone, members only themselves. The person's runs in the project are stopped; their threads stay
 * in the project. Throws `conflict` for the last owner.
 */
export async function removeMember(
  services: Services,
  projectId: string,
  userId: string,
  viewer: Viewer,
): Promise<RemovedMember> {
  const { database } = services;
  requireWholePerson(viewer);
  await requireProjectRole(database, projectId, viewer, userId === viewer.id ? "read" : "owner");
  const before = await database.projectMember.findUnique({ where: { projectId_userId: { projectId, userId } } });
  if (!before) throw new AppError("not_found", "This person is no member of the project.");
  if (before.role === "owner") await requireAnotherOwner(database, projectId, userId);
  await database.$transaction([
    database.projectMember.deleteMany({ where: { projectId, userId } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "project.member_removed",
      target: `project:${projectId}`,
      before: { userId, role: before.role },
    }),
  ]);
  const stoppedRuns = await cancelOpenRuns(database, { projectId, ownerId: userId, parentRunId: null }, viewer.id);
  await closeOpenPages(database, projectId, userId);
  await announceProject(services, projectId, userId);
  return { stoppedRuns };
}

/** Makes the person's pages that follow an open run reload; they then find nothing. */
async function closeOpenPages(database: Database, projectId: string, userId: string): Promise<void> {
  const open = await database.run.findMany({
    where: { projectId, status: { in: [...OPEN_STATUSES] } },
    distinct: ["threadId"],
    select: { threadId: true },
  });
  for (const { threadId } of open) announceToUser(userId, { type: "thread.changed", threadId });
}

async function requireUser(database: Database, { userId, email }: SetMemberBody): Promise<{ id: string }> {
  const who = userId === undefined ? { email: (email ?? "").toLowerCase() } : { id: userId };
  const user = await database.user.findFirst({
    where: { ...who, isService: false, deactivatedAt: null },
    select: { id: true },
  });
  if (user) return user;
  const path = userId === undefined ? "email" : "userId";
  const message = "There is no such account. Ask an administrator to invite this person first.";
  throw invalidField(path, message);
}

async function requireAnotherOwner(database: Database, projectId: string, userId: string): Promise<void> {
  const others = await database.projectMember.count({ where: { projectId, role: "owner", NOT: { userId } } });
  if (others > 0) return;
  throw new AppError(
    "conflict",
    "A project needs an owner. Make another member an owner first, or delete the project.",
  );
}
