import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { AppError } from "@/lib/schema/app-error";
import type { SetUpBody } from "@/lib/schema/users/user";
import { checkRate, clearRate, countRate, SET_UP } from "@/lib/server/http/rate-limit";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";
import { loadSecrets } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { createUser } from "./create-user";

/** The setting with what all processes make the token from. */
const SEED_KEY = "set_up_seed";

/** Whether no person is an admin who can sign in. */
export async function isSetUpNeeded(database: Database): Promise<boolean> {
  const admin = await database.user.findFirst({
    where: { role: "admin", isService: false, deactivatedAt: null },
    select: { id: true },
  });
  return admin === null;
}

/** Creates the admin of RINGMASTER_ADMIN_EMAIL and _PASSWORD if no person exists yet. */
export async function ensureFirstAdmin(services: Services): Promise<void> {
  const { adminEmail, adminPassword } = env();
  if (!adminEmail || !adminPassword) return;
  const anybody = await services.database.user.findFirst({ where: { isService: false }, select: { id: true } });
  if (anybody) return;
  const user = await createUser(
    services,
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

/**
 * The set-up link for the server log; null if there is already an admin. All processes of an installation have the same,
 * also after a restart: whoever reads several logs may open any of their links. Without the secret nobody can make it from
 * what is stored.
 */
export async function makeSetUpLink(database: Database): Promise<string | null> {
  if (!(await isSetUpNeeded(database))) return null;
  const seed = randomBytes(24).toString("base64url");
  const { value } = await database.setting.upsert({
    where: { key: SEED_KEY },
    create: { key: SEED_KEY, value: seed },
    update: { key: SEED_KEY },
  });
  return `${env().publicUrl}/setup#token=${tokenOf(value)}`;
}

/**
 * Creates the first admin. Throws `conflict` if there is one, `forbidden` for a wrong token, `rate_limited` after many.
 * Of two simultaneous requests one wins: the seed's row can only be deleted once. Only wrong tokens are throttled, so
 * that nobody can lock out the owner of the right one.
 */
export async function setUp(services: Services, body: SetUpBody): Promise<{ id: string }> {
  if (!(await isSetUpNeeded(services.database)))
    throw new AppError("conflict", "This installation is already set up. Sign in instead.");
  const seed = await claimSeed(services.database, body.token);
  if (seed === null) {
    await checkRate(services, SET_UP, "all");
    await countRate(services, SET_UP, "all");
    throw new AppError("forbidden", "The set-up token is wrong. Open the link in the server's log.");
  }
  await clearRate(services, SET_UP, "all");
  try {
    const user = await createUser(
      services,
      { email: body.email, name: body.name, password: body.password, role: "admin" },
      { audit: ({ id }) => ({ actorId: id, action: "set_up.completed", target: `user:${id}` }) },
    );
    return { id: user.id };
  } catch (error) {
    await services.database.setting.create({ data: { key: SEED_KEY, value: seed } });
    throw error;
  }
}

/** Takes the seed of this token away; null if it is not the token, or another request was faster. */
async function claimSeed(database: Database, token: string): Promise<string | null> {
  const stored = await database.setting.findUnique({ where: { key: SEED_KEY } });
  if (stored === null || !isSameSecret(token, tokenOf(stored.value))) return null;
  const { count } = await database.setting.deleteMany({ where: { key: SEED_KEY, value: stored.value } });
  return count === 1 ? stored.value : null;
}

function tokenOf(seed: string): string {
  const [secret = ""] = loadSecrets(env());
  return createHmac("sha256", secret).update(`set-up:${seed}`).digest("base64url");
}
