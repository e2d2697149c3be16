import "server-only";
import { effectiveRole, Role, type Scope, type Viewer } from "@/lib/schema/users/user";
import { database } from "@/lib/server/platform/db/database";
import { selectValidSession } from "@/lib/server/platform/db/queries/credentials";
import { auth } from "./better-auth";
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
export async function findViewer(headers: Headers): Promise<Viewer | null> {
  const authorization = headers.get("authorization");
  if (authorization === null) return findSessionViewer(headers);
  const { user, scopes, keyId, reach } = await findKeyOwner(authorization, headers);
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
export async function findSessionViewer(headers: Headers): Promise<Viewer | null> {
  return (await findSession(headers))?.viewer ?? null;
}

/** The session of the cookie, with its viewer; null if it has ended or its user is deactivated. */
export async function findSession(headers: Headers): Promise<{ readonly id: string; readonly viewer: Viewer } | null> {
  const cookie = headers.get("cookie");
  if (!cookie?.includes("ringmaster.session_token")) return null;
  const token = await auth().api.readSessionToken({ headers: new Headers({ cookie }) });
  const session = token === null ? null : await selectValidSession(database(), token);
  if (!session) return null;
  const person = identify(session.user);
  return { id: session.id, viewer: { ...person, scopes: [...roleScopes(person.role)] } };
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
