import { z } from "zod";
import { secret } from "@/lib/schema/new-secret";
import { plainText } from "@/lib/schema/plain-text";

export const Role = z.enum(["viewer", "member", "admin"]);
export type Role = z.infer<typeof Role>;

/** The higher of the role a person was given and the one their groups give. */
export function effectiveRole(role: Role, groupRole: Role | null): Role {
  if (groupRole === null) return role;
  return Role.options.indexOf(groupRole) > Role.options.indexOf(role) ? groupRole : role;
}

export const Scope = z.enum(["read", "chat", "admin"]);
export type Scope = z.infer<typeof Scope>;

/** The agents that an API key may reach, as it was made: the named ones and the group's. */
export const AgentReach = z.object({ agents: z.array(z.string()), groupId: z.string().nullable() });
export type AgentReach = z.infer<typeof AgentReach>;

/** The caller: `scopes` are those of the role, or of the key if one was used (never more than the role's). */
export const Viewer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  scopes: z.array(Scope),
  /** The API key that was used; absent with a session, and for RINGMASTER_ADMIN_API_KEY. */
  keyId: z.string().optional(),
  /** The agents that a limited key may reach; absent if it may reach whatever its owner may. */
  reach: z.array(z.string()).optional(),
});
export type Viewer = z.infer<typeof Viewer>;

/** Whose objects are looked up: the person's, and of those only what their key reaches. */
export interface Reader {
  readonly id: string;
  readonly reach?: readonly string[] | undefined;
}

/**
 * Whether the viewer may see everyone's data: an admin, unless the request's API key lacks the scope `admin`, because
 * such a key may be given to someone who is not an admin.
 */
export function hasAdminScope(viewer: Pick<Viewer, "scopes">): boolean {
  return viewer.scopes.includes("admin");
}

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** As assigned; `groupRole` is the highest that a group gives, and the higher of the two counts. */
  role: Role,
  groupRole: Role.nullable(),
  createdAt: z.string(),
  deactivatedAt: z.string().nullable(),
  /** Time at which all of this person's data was erased; the row remains because others refer to it. */
  erasedAt: z.string().nullable(),
});
export type User = z.infer<typeof User>;

/** Text for names: trimmed, no control characters, no half of a surrogate pair. */
export const PlainName = plainText(120);

export const AccountEmail = z.email().max(254);
/** Characters; the upper limit keeps hashing cheap. */
export const AccountPassword = secret(z.string()).min(12, "must have at least 12 characters").max(128);

export const CreateUserBody = z.strictObject({
  email: AccountEmail,
  name: PlainName,
  role: Role,
  password: AccountPassword,
});
export type CreateUserBody = z.infer<typeof CreateUserBody>;

export const UpdateUserBody = z.strictObject({
  name: PlainName.optional(),
  role: Role.optional(),
  password: AccountPassword.optional(),
  /** True revokes sessions and keys at once. */
  deactivated: z.boolean().optional(),
});
export type UpdateUserBody = z.infer<typeof UpdateUserBody>;

export const UserList = z.object({ users: z.array(User), nextCursor: z.string().nullable() });

const BudgetUsd = z.number().nonnegative().max(10_000_000);

/** POST `/api/setup`, with the token from the server's log. */
export const SetUpBody = z.strictObject({
  token: secret(z.string()).max(200),
  name: PlainName,
  email: AccountEmail,
  password: AccountPassword,
  /** What may be spent, in US dollars: by the installation in a month, and by each person in a day. Absent: no limit. */
  budgets: z.strictObject({ month_usd: BudgetUsd.optional(), person_day_usd: BudgetUsd.optional() }).default({}),
});
export type SetUpBody = z.infer<typeof SetUpBody>;
export const SetUpStatus = z.object({ needed: z.boolean() });

export const SignInBody = z.strictObject({
  email: AccountEmail,
  password: secret(z.string()).max(128),
  rememberMe: z.boolean().default(true),
});
export type SignInBody = z.infer<typeof SignInBody>;

export const ChangePasswordBody = z.strictObject({
  currentPassword: secret(z.string()).max(128),
  newPassword: AccountPassword,
});

/** GET `/api/auth/get-session`. */
export const SessionReply = z.object({ user: Viewer.nullable() });
