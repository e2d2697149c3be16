import "server-only";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { createUser } from "./create-user";

/** Creates the admin of RINGMASTER_ADMIN_EMAIL and _PASSWORD when no person exists yet. */
export async function ensureFirstAdmin(): Promise<void> {
  const { adminEmail, adminPassword } = env();
  if (!adminEmail || !adminPassword) return;
  const anybody = await database().user.findFirst({ where: { isService: false }, select: { id: true } });
  if (anybody) return;
  const user = await createUser({ email: adminEmail, name: "Administrator", password: adminPassword, role: "admin" });
  logger().info({ userId: user.id }, "made the first admin from RINGMASTER_ADMIN_EMAIL");
}
