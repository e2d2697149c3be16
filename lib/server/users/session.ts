import "server-only";
import { effectiveRole, Role, type Scope, type Viewer } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { loadAuth } from "./auth/load-auth";
import { ALONE, type LookUp, TOGETHER } from "./credentials";
import { findKeyOwner } from "./find-key-owner";

const ROLE_SCOPES = {
  viewer: ["read"],
  member: ["read", "chat"],
  admin: ["read", "chat", "admin"],
} as const satisfies Record<Role, readonly Scope[]>;

/** Every scope that a role has. */
export function roleScopes(role: Role): readonly Scope[] {
  return ROLE_SCOPES[role];
}

/**
 * The user behind these headers: the owner of the bearer key if there is one, otherwise of the session cookie; null for
 * nobody. Throws `unauthorized` for a key that is wrong, expired or revoked, and `rate_limited` after too many of them.
 */
export function findViewer(services: Services, headers: Headers): Promise<Viewer | null> {
  return findBy(services, headers, ALONE);
}

/** The same for the requests of open streams, which are all checked at once. */
export function findViewerAgain(services: Services, headers: Headers): Promise<Viewer | null> {
  return findBy(services, headers, TOGETHER);
}

async function findBy(services: Services, headers: Headers, lookUp: LookUp): Promise<Viewer | null> {
  const authorization = headers.get("authorization");
  if (authorization === null) return (await findSession(services, headers, lookUp))?.viewer ?? null;
  const { user, scopes, keyId, reach } = await findKeyOwner(services, authorization, headers, lookUp);
  const person = identify(user);
  const allowed = roleScopes(person.role);
  return {
    ...person,
    scopes: scopes.includes("admin") ? [...allowed] : allowed.filter((scope) => scopes.includes(scope)),
    ...(keyId === undefined ? {} : { keyId }),
    ...(reach === undefined ? {} : { reach }),
  };
}

/** The viewer identified by the session cookie alone. A deactivated user has none. */
export async function findSessionViewer(services: Services, headers: Headers): Promise<Viewer | null> {
  return (await findSession(services, headers))?.viewer ?? null;
}

interface Session {
  readonly id: string;
  readonly viewer: Viewer;
}

/** The session of the cookie, with its viewer; null if it has ended or its user is deactivated. */
export async function findSession(
  services: Services,
  headers: Headers,
  lookUp: LookUp = ALONE,
): Promise<Session | null> {
  if (!headers.get("cookie")?.includes("ringmaster.session_token")) return null;
  const token = await sessionToken(services, headers);
  const session = token === null ? null : await lookUp.session(services.database, token);
  if (!session) return null;
  const person = identify(session.user);
  return { id: session.id, viewer: { ...person, scopes: [...roleScopes(person.role)] } };
}

/** The cookies of a request stay the same: their signature is checked once, however long its stream is open. */
const tokens = new WeakMap<Headers, string | null>();

async function sessionToken(services: Services, headers: Headers): Promise<string | null> {
  const known = tokens.get(headers);
  if (known !== undefined) return known;
  const { api } = await loadAuth(services);
  const token = await api.readSessionToken({ headers: new Headers({ cookie: headers.get("cookie") ?? "" }) });
  tokens.set(headers, token);
  return token;
}

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly groupRole: string | null;
}

function identify({ id, name, email, role, groupRole }: Person) {
  return { id, name, email, role: effectiveRole(Role.parse(role), Role.nullable().parse(groupRole)) };
}
