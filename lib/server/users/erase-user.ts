import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { EraseUserBody, Erasure } from "@/lib/schema/users/erasure";
import type { User, Viewer } from "@/lib/schema/users/user";
import { eraseEntriesAbout } from "@/lib/server/audit/audit-chain";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { accessEnded } from "./access-ended";
import { leaveProjects } from "./leave-projects";
import { getUser } from "./list-users";
import { refuseLastAdmin } from "./update-user";

/** The task that deletes an erased person's data; it is repeated until nothing is left. */
export const ERASING_TASK = "erase-users";
export const ERASING_EVERY_MS = 60_000;
const ERASED_NAME = "Erased user";

/**
 * Erases a person in two steps: without `confirm` it reports what would be deleted; with the person's email address it
 * begins. Access and name are removed at once; threads, traces, files and the audit log's contents follow as a task.
 * Runs stay counted in the usage, under nobody's name. Throws `not_found`, `invalid_input` for another address,
 * `conflict` for the last administrator and for the caller.
 */
export async function eraseUser(
  services: Services,
  id: string,
  { confirm }: EraseUserBody,
  viewer: Viewer,
): Promise<Erasure> {
  const { database } = services;
  const user = await getUser(database, id);
  if (!user) throw new AppError("not_found", "There is no such user.");
  if (user.erasedAt !== null) {
    return { ...(await countLeft(database, id)), state: await stateOf(database, id), confirm: null };
  }
  if (id === viewer.id) {
    throw new AppError("conflict", "You can't erase yourself. Ask another administrator to do it.");
  }
  await refuseLastAdmin(database, user);
  const left = await countLeft(database, id);
  if (confirm === undefined) return { ...left, state: "asked", confirm: user.email };
  if (confirm.trim().toLowerCase() !== user.email.toLowerCase()) {
    throw new AppError("invalid_input", "This is not the email address of the user. Nothing was erased.", {
      details: [{ path: "confirm", message: "must be the email address of the user" }],
    });
  }
  await beginErasing(services, user, viewer, left);
  return { ...left, state: "running", confirm: null };
}

async function beginErasing(services: Services, { id, email }: User, viewer: Viewer, left: Counts): Promise<void> {
  const { database } = services;
  const now = new Date();
  // Before the address is deleted, because some entries are found by it; the task finds by id any entries added in
  // between.
  await eraseEntriesAbout(database, { userId: id, email });
  const name = { name: ERASED_NAME, email: `${id}@erased.invalid`, image: null, emailVerified: false, timeZone: null };
  await database.$transaction([
    database.user.update({
      where: { id },
      data: { ...name, role: "viewer", groupRole: null, deactivatedAt: now, erasedAt: now },
    }),
    database.session.deleteMany({ where: { userId: id } }),
    database.account.deleteMany({ where: { userId: id } }),
    database.apiKey.deleteMany({ where: { userId: id } }),
    database.groupMember.deleteMany({ where: { userId: id } }),
    database.grant.deleteMany({ where: { ownerId: id } }),
    database.score.deleteMany({ where: { authorId: id } }),
    database.note.deleteMany({ where: { authorId: id } }),
    ...(await leaveProjects(database, id)),
    database.savedPrompt.deleteMany({ where: { ownerId: id } }),
    database.traceView.deleteMany({ where: { ownerId: id } }),
    database.alert.deleteMany({ where: { ownerId: id } }),
    database.notificationChoice.deleteMany({ where: { userId: id } }),
    database.pushSubscription.deleteMany({ where: { userId: id } }),
    database.decisionToken.deleteMany({ where: { userId: id } }),
    database.keptReply.deleteMany({ where: { userId: id } }),
    database.mcpConnection.deleteMany({ where: { holder: id } }),
    database.mcpAuthorization.deleteMany({ where: { userId: id } }),
    database.budget.deleteMany({ where: { scope: "user", scopeId: id } }),
    database.auditEntry.create({
      data: auditColumns({ actorId: viewer.id, action: "user.erased", target: `user:${id}`, details: { ...left } }),
    }),
  ]);
  const timer = { name: `${ERASING_TASK} ${id}`, at: now, task: ERASING_TASK, data: {} };
  await database.runAll(await dispatcherOf(database).schedule(timer));
  accessEnded(services);
  announceQueued();
  logger().info({ userId: id }, "a user is being erased");
}

type Counts = Omit<Erasure, "state" | "confirm">;

async function countLeft(db: Database, id: string): Promise<Counts> {
  const [threads, runs, workspaces, apiKeys] = await Promise.all([
    db.thread.count({ where: { ownerId: id, parentThreadId: null } }),
    db.run.count({ where: { ownerId: id, parentRunId: null } }),
    db.workspace.count({ where: { ownerId: id } }),
    db.apiKey.count({ where: { userId: id } }),
  ]);
  return { threads, runs, workspaces, apiKeys };
}

async function stateOf(db: Database, id: string): Promise<"running" | "erased"> {
  const row = await db.user.findUnique({ where: { id }, select: { erasureEndAt: true } });
  return row?.erasureEndAt ? "erased" : "running";
}
