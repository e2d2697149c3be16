import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { firstNotifications } from "@/lib/schema/users/notification";
import type { CreateUserBody, User } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { announcePerson } from "@/lib/server/engine/log/signals";
import type { AuditRecord } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database, PrismaQuery } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { loadAuth } from "./auth/load-auth";
import { toUser, USER_FIELDS } from "./user-row";

interface CreatedWith {
  /** The audit log entry for the new person. */
  readonly audit: (user: { readonly id: string; readonly email: string }) => AuditRecord;
  /** Queries stored before and after the person, in the same transaction. */
  readonly before?: readonly PrismaQuery[];
  readonly after?: (userId: string) => readonly PrismaQuery[];
}

/**
 * Creates a person who can sign in with a password, in one transaction with the audit entry and the given queries.
 * Notifications in the page are on.
 * Throws `conflict` if the address is taken.
 */
export async function createUser(
  services: Services,
  { email, name, role, password }: CreateUserBody,
  { audit, before = [], after = () => [] }: CreatedWith,
): Promise<User> {
  const { database } = services;
  const id = createId("usr");
  const address = email.toLowerCase();
  await refuseTakenEmail(database, address);
  const passwordHash = await hashPassword(services, password);
  try {
    await database.$transaction([
      ...before,
      database.user.create({ data: { id, email: address, name, role, emailVerified: true } }),
      database.account.create({
        data: { id: createId("acc"), accountId: id, providerId: "credential", userId: id, password: passwordHash },
      }),
      database.notificationChoice.create({
        data: { userId: id, choices: JSON.stringify(firstNotifications()), isOn: true, updatedAt: new Date() },
      }),
      ...after(id),
      auditQuery(services, audit({ id, email: address })),
    ]);
    announcePerson();
    return toUser(await database.user.findUniqueOrThrow({ where: { id }, select: USER_FIELDS }));
  } catch (error) {
    if (isTaken(error)) throw takenEmail();
    throw error;
  }
}

/** Throws `conflict` if somebody has the address (lower case), even somebody deactivated. */
export async function refuseTakenEmail(database: Database, email: string): Promise<void> {
  if (await database.user.findUnique({ where: { email }, select: { id: true } })) throw takenEmail();
}

function takenEmail(): AppError {
  const message = "A user with this email address already exists.";
  return new AppError("conflict", message, { details: [{ path: "email", message }] });
}

/** The hash that sign-in checks against. */
export async function hashPassword(services: Services, password: string): Promise<string> {
  const { $context } = await loadAuth(services);
  const context = await $context;
  return context.password.hash(password);
}
