import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { CreatePromptBody, SavedPrompt, UpdatePromptBody } from "@/lib/schema/prompts/saved-prompt";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";

/** The limit per person, and for the shared prompts together. */
const MOST_PROMPTS = 500;

/** The viewer's own and the shared prompts, by name. */
export async function listPrompts(database: Database, viewer: Viewer): Promise<SavedPrompt[]> {
  const rows = await database.savedPrompt.findMany({
    where: visibleTo(viewer),
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: 2 * MOST_PROMPTS,
  });
  return rows.map(toPrompt);
}

/** Throws `not_found`. */
export async function getPrompt(database: Database, viewer: Viewer, id: string): Promise<SavedPrompt> {
  const row = await database.savedPrompt.findFirst({ where: { ...visibleTo(viewer), id } });
  if (!row) throw noPrompt();
  return toPrompt(row);
}

/** Throws `forbidden` for a shared prompt of a non-admin, `conflict` for a taken name. */
export async function createPrompt(
  services: Services,
  viewer: Viewer,
  { shared, ...body }: CreatePromptBody,
): Promise<SavedPrompt> {
  const { database } = services;
  if (shared) requireAdmin(viewer);
  const ownerId = shared ? null : viewer.id;
  if ((await database.savedPrompt.count({ where: { ownerId } })) >= MOST_PROMPTS) {
    throw new AppError("conflict", `There are ${MOST_PROMPTS} prompts already. Delete some first.`);
  }
  const id = createId("prm");
  const create = database.savedPrompt.create({ data: { id, ownerId, ...body } });
  const record = auditQuery(services, { ...actOf(viewer, "created", id), after: { ...body, shared } });
  await orTaken(database.$transaction([create, ...(shared ? [record] : [])]));
  return getPrompt(database, viewer, id);
}

/** Changes the fields in the body. Throws as `createPrompt` does, and `not_found`. */
export async function updatePrompt(
  services: Services,
  viewer: Viewer,
  id: string,
  change: UpdatePromptBody,
): Promise<SavedPrompt> {
  const { database } = services;
  const before = await getPrompt(database, viewer, id);
  const { shared = before.shared, ...data } = change;
  if (before.shared || shared) requireAdmin(viewer);
  const update = database.savedPrompt.update({
    where: { id, ...visibleTo(viewer) },
    data: { ...data, ownerId: shared ? null : viewer.id },
  });
  const record = auditQuery(services, {
    ...actOf(viewer, "updated", id),
    before: sidesOf(before),
    after: sidesOf({ ...before, ...data, shared }),
  });
  await orTaken(database.$transaction([update, ...(before.shared || shared ? [record] : [])]));
  return getPrompt(database, viewer, id);
}

/** Throws `not_found`, and `forbidden` for a shared prompt if the viewer is no admin. */
export async function deletePrompt(services: Services, viewer: Viewer, id: string): Promise<void> {
  const before = await getPrompt(services.database, viewer, id);
  if (before.shared) requireAdmin(viewer);
  const remove = services.database.savedPrompt.deleteMany({ where: { id } });
  const record = auditQuery(services, { ...actOf(viewer, "deleted", id), before: sidesOf(before) });
  await services.database.$transaction([remove, ...(before.shared ? [record] : [])]);
}

function visibleTo(viewer: Viewer) {
  return { OR: [{ ownerId: viewer.id }, { ownerId: null }] };
}

function requireAdmin(viewer: Viewer): void {
  if (hasAdminScope(viewer)) return;
  throw new AppError("forbidden", "Only administrators change prompts that are for everybody. Save one of your own.");
}

function actOf(viewer: Viewer, what: "created" | "updated" | "deleted", id: string) {
  return { actorId: viewer.id, action: `prompt.${what}`, target: `prompt:${id}` };
}

async function orTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = "There is a prompt with this name already.";
    throw new AppError("conflict", message, { details: [{ path: "name", message }] });
  }
}

function noPrompt(): AppError {
  return new AppError("not_found", "There is no such prompt.");
}

interface PromptRow {
  readonly id: string;
  readonly ownerId: string | null;
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

function toPrompt({ id, ownerId, name, description, text, createdAt, updatedAt }: PromptRow): SavedPrompt {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { id, name, description, text, shared: ownerId === null, ...times };
}

function sidesOf({ name, description, text, shared }: CreatePromptBody): CreatePromptBody {
  return { name, description, text, shared };
}
