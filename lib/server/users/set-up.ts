import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { AppError } from "@/lib/schema/app-error";
import type { SetUpBody } from "@/lib/schema/users/user";
import { checkRate, clearRate, countRate, SET_UP } from "@/lib/server/http/rate-limit";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { createUser } from "./create-user";

const TOKEN_KEY = "set_up_token_sha256";

/** Whether no person is an admin who can sign in. */
export async function isSetUpNeeded(): Promise<boolean> {
  const admin = await database().user.findFirst({
    where: { role: "admin", isService: false, deactivatedAt: null },
    select: { id: true },
  });
  return admin === null;
}

/** Creates the admin of RINGMASTER_ADMIN_EMAIL and _PASSWORD if no person exists yet. */
export async function ensureFirstAdmin(): Promise<void> {
  const { adminEmail, adminPassword } = env();
  if (!adminEmail || !adminPassword) return;
  const anybody = await database().user.findFirst({ where: { isService: false }, select: { id: true } });
  if (anybody) return;
  const user = await createUser(
    { email: adminEmail, name: "Administrator", password: adminPassword, role: "admin" },
    {
      audit: ({ id, email }) => ({
        actorId: id,
        action: "user.created",
        target: `user:${id}`,
        after: { email, name: "Administrator", role: "admin" },
        details: { by: "environment" },
      }),
    },
  );
  logger().info({ userId: user.id }, "created the first admin from RINGMASTER_ADMIN_EMAIL");
}

/** A new set-up link for the server log; null if there is already an admin. Only the token's hash is stored. */
export async function makeSetUpLink(): Promise<string | null> {
  if (!(await isSetUpNeeded())) return null;
  const token = randomBytes(24).toString("base64url");
  const value = hash(token);
  await database().setting.upsert({
    where: { key: TOKEN_KEY },
    create: { key: TOKEN_KEY, value },
    update: { value },
  });
  return `${env().publicUrl}/setup#token=${token}`;
}

/**
 * Creates the first admin. Throws `conflict` if there is one, `forbidden` for a wrong token, `rate_limited` after many.
 * Of two simultaneous requests one wins: the token's row can only be deleted once. Only wrong tokens are throttled, so
 * that nobody can lock out the owner of the right one.
 */
export async function setUp(body: SetUpBody): Promise<{ id: string }> {
  if (!(await isSetUpNeeded())) throw new AppError("conflict", "This installation is already set up. Sign in instead.");
  const claimed = await database().setting.deleteMany({ where: { key: TOKEN_KEY, value: hash(body.token) } });
  if (claimed.count !== 1) {
    await checkRate(SET_UP, "all");
    await countRate(SET_UP, "all");
    throw new AppError("forbidden", "The set-up token is wrong. Open the newest link in the server's log.");
  }
  await clearRate(SET_UP, "all");
  try {
    const user = await createUser(
      { email: body.email, name: body.name, password: body.password, role: "admin" },
      { audit: ({ id }) => ({ actorId: id, action: "set_up.completed", target: `user:${id}` }) },
    );
    return { id: user.id };
  } catch (error) {
    await database().setting.create({ data: { key: TOKEN_KEY, value: hash(body.token) } });
    throw error;
  }
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
