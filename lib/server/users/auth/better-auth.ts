import "server-only";
import { randomBytes } from "node:crypto";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { createAuthEndpoint } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { secretBox } from "@/lib/server/platform/secrets/secrets";
import { type Services, serviceState } from "@/lib/server/platform/services";

const THIRTY_DAYS_SECONDS = 30 * 24 * 3_600;

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 128;

const ID_PREFIXES: Readonly<Record<string, string>> = { session: "ses", user: "usr", account: "acc" };

/**
 * better-auth with email and password, sign-up off. Its own HTTP handler is never mounted: routes call `auth().api`, so
 * that only what has a route is reachable. `defineRoute` and `signIn` do the throttling and the same-origin check.
 */
export const auth = serviceState("better-auth", createAuth);

function createAuth(services: Services) {
  return betterAuth({
    ...authOptions(services.database),
    plugins: [{ id: "session-token", endpoints: { readSessionToken } }],
  });
}

/**
 * The session's token in the cookie, its signature checked; null without a valid one. Asks nothing of the database:
 * better-auth's own `getSession` would read the session and the person in two queries.
 */
const readSessionToken = createAuthEndpoint.serverOnly({ method: "GET", requireHeaders: true }, async (context) => {
  const { authCookies, secret } = context.context;
  return (await context.getSignedCookie(authCookies.sessionToken.name, secret)) || null;
});

/** The options that every way to sign in shares: one secret, one cookie, one database. */
export function authOptions(database: Database) {
  return {
    appName: "Ringmaster",
    baseURL: env().publicUrl,
    basePath: "/api/auth",
    secret: secretBox().deriveKey("sessions"),
    // A library that finds `$transaction` may use its callback form, which SQLite can't isolate from concurrent statements.
    database: prismaAdapter(
      { ...database, $transaction: undefined },
      {
        provider: env().databaseUrl.startsWith("file:") ? ("sqlite" as const) : ("postgresql" as const),
        transaction: false,
      },
    ),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    session: { expiresIn: THIRTY_DAYS_SECONDS, disableSessionRefresh: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: "ringmaster",
      useSecureCookies: env().publicUrl.startsWith("https:"),
      disableCSRFCheck: true,
      disableOriginCheck: true,
      database: {
        generateId: ({ model }: { readonly model: string }) =>
          `${ID_PREFIXES[model] ?? "id"}_${randomBytes(12).toString("hex")}`,
      },
    },
  };
}
