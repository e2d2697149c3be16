import { z } from "zod";
import { shownOnce } from "@/lib/schema/shown-once";
import { GroupIds } from "./group";
import { AccountEmail, AccountPassword, PlainName, Role } from "./user";

/** POST `/api/users/invite`. */
export const InviteBody = z.strictObject({
  email: AccountEmail,
  role: Role.default("member"),
  /** Ids of the groups that the person joins. */
  groups: GroupIds.default([]),
});
export type InviteBody = z.infer<typeof InviteBody>;

/** The link is shown once; whoever has it can use it until it expires. */
export const CreatedLink = z.object({ url: shownOnce(z.string()), expiresAt: z.string() });
export type CreatedLink = z.infer<typeof CreatedLink>;

const Token = z.string().min(1).max(200);

/** POST `/api/account-links/look`: what a link is for. */
export const LookBody = z.strictObject({ token: Token });
/** POST `/api/account-links/send`: mails a link that an administrator has just made. */
export const SendLinkBody = z.strictObject({ token: Token });
export type SendLinkBody = z.infer<typeof SendLinkBody>;
export const LinkSummary = z.object({ kind: z.enum(["invite", "password"]), email: z.string() });
export type LinkSummary = z.infer<typeof LinkSummary>;

/** POST `/api/account-links`: uses a link. `name` is for an invitation. */
export const UseLinkBody = z.strictObject({ token: Token, name: PlainName.optional(), password: AccountPassword });
export type UseLinkBody = z.infer<typeof UseLinkBody>;

/** One browser in which a person is signed in. */
export const UserSession = z.object({
  id: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
});
export type UserSession = z.infer<typeof UserSession>;
export const UserSessionList = z.object({ sessions: z.array(UserSession) });

/** An open invitation. Its link is not stored. */
export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  groups: z.array(z.string()),
  /** Null for a deleted user. */
  invitedByName: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;
export const InvitationList = z.object({ invitations: z.array(Invitation), nextCursor: z.string().nullable() });
