import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { SignInBody } from "@/lib/schema/users/user";
import { auditQuery, writeAudit } from "@/lib/server/audit/audit-log";
import { clearRate, clientKey, SIGN_IN_PER_ACCOUNT, SIGN_IN_PER_CLIENT, takeRate } from "@/lib/server/http/rate-limit";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { accessEnded } from "./access-ended";
import { loadAuth } from "./auth/load-auth";
import { readOidc } from "./oidc/oidc-settings";
import { findSession } from "./session";

/**
 * Signs a person in; the reply carries the session cookie. A wrong password, an unknown address, deactivated and
 * built-in users get the same answer after the same work; attempts are throttled per account (until one succeeds) and
 * per client.
 */
export async function signIn(
  services: Services,
  body: SignInBody,
  headers: Headers,
): Promise<{ userId: string; setCookie: string[] }> {
  const { database } = services;
  const email = body.email.toLowerCase();
  const client = clientKey(headers);
  // Counted before the slow check, so that many simultaneous attempts can't slip through together.
  await takeRate(services, SIGN_IN_PER_ACCOUNT, email);
  await takeRate(services, SIGN_IN_PER_CLIENT, client);
  const { api } = await loadAuth(services);
  const reply = await api.signInEmail({
    body: { email, password: body.password, rememberMe: body.rememberMe },
    headers: passOn(headers),
    asResponse: true,
  });
  const user = reply.ok ? await findActive(database, email) : null;
  if (user && !isAdmin(user)) await refuseLocal(database, reply);
  if (!user) {
    if (reply.ok) await dropSessions(database, email);
    throw new AppError("unauthorized", "The email address or the password is wrong.");
  }
  await clearRate(services, SIGN_IN_PER_ACCOUNT, email);
  try {
    await writeAudit(services, { actorId: user.id, action: "session.created", target: `user:${user.id}` });
  } catch (error) {
    await dropSession(database, reply);
    throw error;
  }
  return { userId: user.id, setCookie: reply.headers.getSetCookie() };
}

/** Ends the cookie's session; the reply clears the cookie. Does nothing without a session. */
export async function signOut(services: Services, headers: Headers): Promise<{ setCookie: string[] }> {
  const { api } = await loadAuth(services);
  const reply = await api.signOut({ headers: passOn(headers), asResponse: true });
  accessEnded(services);
  return { setCookie: reply.headers.getSetCookie() };
}

/** Changes the password of the cookie's user, ends every other session and gives this one a new token. */
export async function changePassword(
  services: Services,
  body: { currentPassword: string; newPassword: string },
  viewerId: string,
  headers: Headers,
): Promise<{ setCookie: string[] }> {
  await requireOwnSession(services, viewerId, headers);
  await takeRate(services, SIGN_IN_PER_ACCOUNT, viewerId);
  const { api } = await loadAuth(services);
  const reply = await api.changePassword({
    body: { ...body, revokeOtherSessions: true },
    headers: passOn(headers),
    asResponse: true,
  });
  if (!reply.ok) {
    throw new AppError("invalid_input", "The current password is wrong.", {
      details: [{ path: "currentPassword", message: "Wrong password." }],
    });
  }
  await clearRate(services, SIGN_IN_PER_ACCOUNT, viewerId);
  accessEnded(services);
  await writeAudit(services, { actorId: viewerId, action: "password.changed", target: `user:${viewerId}` });
  return { setCookie: reply.headers.getSetCookie() };
}

/** Ends all other sessions of the cookie's user. */
export async function revokeOtherSessions(services: Services, viewerId: string, headers: Headers): Promise<void> {
  const sessionId = await requireOwnSession(services, viewerId, headers);
  await services.database.$transaction([
    services.database.session.deleteMany({ where: { userId: viewerId, id: { not: sessionId } } }),
    auditQuery(services, { actorId: viewerId, action: "sessions.revoked", target: `user:${viewerId}` }),
  ]);
  accessEnded(services);
}

/**
 * The session's id. better-auth only looks at the cookie: a caller with an API key may have none, or someone else's.
 */
async function requireOwnSession(services: Services, viewerId: string, headers: Headers): Promise<string> {
  const session = await findSession(services, headers);
  if (session?.viewer.id !== viewerId)
    throw new AppError("forbidden", "This needs a session, which an API key does not have. Sign in instead.");
  return session.id;
}

/** Only the headers that better-auth needs, so that no other header can change its behaviour. */
function passOn(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of ["cookie", "user-agent", "x-forwarded-for"]) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

async function findActive(database: Database, email: string) {
  return database.user.findFirst({
    where: { email, deactivatedAt: null, isService: false },
    select: { id: true, role: true, groupRole: true },
  });
}

function isAdmin({ role, groupRole }: { readonly role: string; readonly groupRole: string | null }): boolean {
  return role === "admin" || groupRole === "admin";
}

/** If passwords are switched off, only administrators may use one. Ends the session that was just created. */
async function refuseLocal(database: Database, reply: Response): Promise<void> {
  const oidc = await readOidc(database);
  if (oidc === null || oidc.localSignIn) return;
  await dropSession(database, reply);
  throw new AppError("forbidden", `Only administrators sign in with a password here. Continue with ${oidc.name}.`);
}

const SignedIn = z.object({ token: z.string() });

/** Ends the session that this reply would begin. */
async function dropSession(database: Database, reply: Response): Promise<void> {
  const { token } = SignedIn.parse(await reply.clone().json());
  await database.session.deleteMany({ where: { token } });
}

async function dropSessions(database: Database, email: string): Promise<void> {
  await database.session.deleteMany({ where: { user: { email } } });
}
