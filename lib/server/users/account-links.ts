import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { SentMail } from "@/lib/schema/settings/settings";
import type {
  CreatedLink,
  Invitation,
  InviteBody,
  LinkSummary,
  SendLinkBody,
  UseLinkBody,
} from "@/lib/schema/users/account-link";
import { Role, type Viewer } from "@/lib/schema/users/user";
import { auditQuery, writeAudit } from "@/lib/server/audit/audit-log";
import { ACCOUNT_LINK, checkRate, clientKey, countRate } from "@/lib/server/http/rate-limit";
import type { AuditRecord } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { isNotFound } from "@/lib/server/platform/db/errors";
import { env } from "@/lib/server/platform/env";
import { noLaterThanKey } from "@/lib/server/platform/key-limits";
import type { Services } from "@/lib/server/platform/services";
import { sendMail } from "@/lib/server/settings/mail";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { accessEnded } from "./access-ended";
import { createUser, refuseTakenEmail } from "./create-user";
import { changeMemberships, groupsToJoin, joinQueries } from "./groups/group-roles";
import { requireGroups } from "./groups/groups";
import { getUser } from "./list-users";
import { LINK_PREFIX } from "./role-endings";
import { passwordQuery } from "./update-user";

const INVITE_MS = 7 * 86_400_000;
const PASSWORD_MS = 86_400_000;

/** Who made it, and with which API key: it ends with their rights, and with the key. */
const MADE = { by: z.string(), keyId: z.string().optional() };

const Purpose = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("invite"),
    email: z.string(),
    role: Role,
    groups: z.array(z.string()).default([]),
    ...MADE,
  }),
  z.object({ kind: z.literal("password"), userId: z.string(), ...MADE }),
]);
type Purpose = z.infer<typeof Purpose>;

/** A link for creating an account. Throws `conflict` if the address already has one. */
export async function invite(
  services: Services,
  { email, role, groups }: InviteBody,
  viewer: Viewer,
): Promise<CreatedLink> {
  const address = email.toLowerCase();
  await refuseTakenEmail(services.database, address);
  await requireGroups(services.database, groups, "groups");
  const after = { email: address, role, groups };
  return makeLink(services, { kind: "invite", ...after, ...madeBy(viewer) }, INVITE_MS, {
    actorId: viewer.id,
    action: "user.invited",
    target: `invitation:${address}`,
    after,
  });
}

/** A link for choosing a new password. Throws `not_found`, and `conflict` for a deactivated person. */
export async function makePasswordLink(services: Services, userId: string, viewer: Viewer): Promise<CreatedLink> {
  const user = await getUser(services.database, userId);
  if (!user) throw new AppError("not_found", "There is no such user.");
  if (user.deactivatedAt !== null) {
    throw new AppError("conflict", `${user.name} is deactivated. Reactivate them first.`);
  }
  return makeLink(services, { kind: "password", userId, ...madeBy(viewer) }, PASSWORD_MS, {
    actorId: viewer.id,
    action: "password_link.created",
    target: `user:${userId}`,
  });
}

/**
 * The link's purpose. Throws `not_found` for one that has expired, was used, or never existed; `rate_limited` after
 * many attempts.
 */
export async function lookAtLink(services: Services, token: string, headers: Headers): Promise<LinkSummary> {
  const purpose = await findPurpose(services, token, headers);
  if (purpose.kind === "invite") return { kind: "invite", email: purpose.email };
  const user = await getUser(services.database, purpose.userId);
  if (!user || user.deactivatedAt !== null) throw gone();
  return { kind: "password", email: user.email };
}

/**
 * Mails the link, which is also shown, to the address that it is for. Throws `not_found` for a link that has expired or
 * was used, `conflict` if no mail server is configured.
 */
export async function sendLink(services: Services, { token }: SendLinkBody, viewer: Viewer): Promise<SentMail> {
  const row = await services.database.verification.findFirst({
    where: { identifier: identifierOf(token), expiresAt: { gt: new Date() } },
  });
  if (!row) throw gone();
  const purpose = Purpose.parse(JSON.parse(row.value));
  if (!(await mayStillHandOut(services.database, purpose.by))) throw gone();
  const user = purpose.kind === "password" ? await getUser(services.database, purpose.userId) : null;
  const to = purpose.kind === "invite" ? purpose.email : user?.email;
  if (to === undefined) throw gone();
  const { name } = currentSettings().branding;
  const does = purpose.kind === "invite" ? `make your account at ${name}` : `choose a new password for ${name}`;
  const until = row.expiresAt.toISOString().slice(0, 16).replace("T", " ");
  const sent = await sendMail({
    to,
    subject: purpose.kind === "invite" ? `Your invitation to ${name}` : `A new password for ${name}`,
    text: `Open this link to ${does}:\n\n${linkOf(token)}\n\nIt works once, until ${until} UTC.\nSent by ${viewer.name}.\n`,
  });
  if (sent.ok) {
    const target = purpose.kind === "invite" ? `invitation:${to}` : `user:${purpose.userId}`;
    await writeAudit(services, { actorId: viewer.id, action: "account_link.sent", target, details: { to } });
  }
  return sent;
}

/**
 * Creates the account, or sets the password and ends every session, in one transaction with the end of the link. It
 * works once: of two simultaneous uses one wins, because its row can only be deleted once. Throws as `lookAtLink` does,
 * `invalid_input` for an invitation without a name, `conflict` if somebody else created an account with that address.
 */
export async function followLink(
  services: Services,
  { token, name, password }: UseLinkBody,
  headers: Headers,
): Promise<{ email: string }> {
  const purpose = await findPurpose(services, token, headers);
  if (purpose.kind === "invite" && name === undefined) {
    throw new AppError("invalid_input", "name: is missing.", { details: [{ path: "name", message: "Is missing." }] });
  }
  try {
    return await (purpose.kind === "invite"
      ? acceptInvitation(services, purpose, token, { name: name ?? "", password })
      : setNewPassword(services, purpose, token, password));
  } catch (error) {
    throw isNotFound(error) ? gone() : error;
  }
}

/** Ends the link, in the transaction that serves its purpose; fails if the link has ended. */
async function endLinkQuery(database: Database, token: string) {
  const row = await database.verification.findFirst({
    where: { identifier: identifierOf(token) },
    select: { id: true, identifier: true },
  });
  if (!row) throw gone();
  // A function, because a Prisma query runs as soon as it is awaited.
  return () => database.verification.delete({ where: row });
}

async function acceptInvitation(
  services: Services,
  { email, role, groups }: Extract<Purpose, { kind: "invite" }>,
  token: string,
  person: { readonly name: string; readonly password: string },
): Promise<{ email: string }> {
  const end = await endLinkQuery(services.database, token);
  const accept = async () => {
    const joined = await groupsToJoin(services.database, groups);
    return createUser(
      services,
      { ...person, email, role },
      {
        before: [end()],
        after: (userId) => joinQueries(services.database, userId, joined),
        audit: ({ id, email }) => ({
          actorId: id,
          action: "invitation.accepted",
          target: `user:${id}`,
          after: { email, role },
        }),
      },
    );
  };
  const user = await (groups.length === 0 ? accept() : changeMemberships(services.database, accept));
  return { email: user.email };
}

async function setNewPassword(
  services: Services,
  { userId }: Extract<Purpose, { kind: "password" }>,
  token: string,
  password: string,
): Promise<{ email: string }> {
  const { database } = services;
  const user = await getUser(database, userId);
  if (!user || user.deactivatedAt !== null) throw gone();
  const [end, store] = [await endLinkQuery(database, token), await passwordQuery(services, userId, password)];
  const target = `user:${userId}`;
  await database.$transaction([
    end(),
    store(),
    database.session.deleteMany({ where: { userId } }),
    auditQuery(services, { actorId: userId, action: "password.changed", target, details: { by: "link" } }),
  ]);
  accessEnded(services);
  return { email: user.email };
}

async function makeLink(
  services: Services,
  purpose: Purpose,
  lastsMs: number,
  record: AuditRecord,
): Promise<CreatedLink> {
  const { data, link } = await newLink(services.database, purpose, lastsMs);
  await services.database.$transaction([services.database.verification.create({ data }), auditQuery(services, record)]);
  return link;
}

function madeBy({ id, keyId }: Viewer) {
  return { by: id, ...(keyId === undefined ? {} : { keyId }) };
}

async function newLink(database: Database, purpose: Purpose, lastsMs: number) {
  const token = randomBytes(24).toString("base64url");
  const expiresAt = await noLaterThanKey(database, purpose.keyId, new Date(Date.now() + lastsMs));
  const data = { id: createId("link"), identifier: identifierOf(token), value: JSON.stringify(purpose), expiresAt };
  return { data, link: { url: linkOf(token), expiresAt: expiresAt.toISOString() } };
}

function linkOf(token: string): string {
  // The fragment of an address never reaches a server or its logs.
  return `${env().publicUrl}/join#token=${token}`;
}

/** People who were invited but have not joined yet, newest first. */
export async function listInvitations(database: Database): Promise<Invitation[]> {
  const rows = await database.verification.findMany({
    where: { identifier: { startsWith: LINK_PREFIX }, expiresAt: { gt: new Date() } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  const links = readEach(rows, "invitation", (row) => ({ row, purpose: Purpose.parse(JSON.parse(row.value)) }));
  const invitations = links.flatMap(({ row, purpose }) => (purpose.kind === "invite" ? [{ row, purpose }] : []));
  const inviters = await database.user.findMany({
    where: { id: { in: [...new Set(invitations.map(({ purpose }) => purpose.by))] } },
    select: { id: true, name: true },
  });
  const names = new Map(inviters.map(({ id, name }) => [id, name]));
  return invitations.map(({ row, purpose: { email, role, groups, by } }) => ({
    id: row.id,
    email,
    role,
    groups,
    invitedByName: names.get(by) ?? null,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Revokes the invitation's link. Throws `not_found` for one that was used, has expired or never existed. */
export async function revokeInvitation(services: Services, id: string, viewer: Viewer): Promise<void> {
  const { email, role, groups } = await findInvitation(services.database, id);
  const target = `invitation:${email}`;
  await orNoInvitation(
    services.database.$transaction([
      services.database.verification.delete({ where: { id } }),
      auditQuery(services, {
        actorId: viewer.id,
        action: "invitation.revoked",
        target,
        before: { email, role, groups },
      }),
    ]),
  );
}

/**
 * A new link for the same invitation, valid as long as a new one from now; the old one stops working. Throws
 * `not_found`.
 */
export async function renewInvitation(services: Services, id: string, viewer: Viewer): Promise<CreatedLink> {
  const { keyId: _before, ...invitation } = await findInvitation(services.database, id);
  const purpose = { ...invitation, ...madeBy(viewer) };
  const { data, link } = await newLink(services.database, purpose, INVITE_MS);
  // The row keeps its id: if two people renew it, the last one has the working link.
  const { identifier, value, expiresAt } = data;
  const target = `invitation:${purpose.email}`;
  await orNoInvitation(
    services.database.$transaction([
      services.database.verification.update({ where: { id }, data: { identifier, value, expiresAt } }),
      auditQuery(services, { actorId: viewer.id, action: "invitation.renewed", target }),
    ]),
  );
  return link;
}

async function orNoInvitation(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw isNotFound(error) ? noInvitation() : error;
  }
}

async function findInvitation(database: Database, id: string): Promise<Extract<Purpose, { kind: "invite" }>> {
  const row = await database.verification.findFirst({
    where: { id, identifier: { startsWith: LINK_PREFIX }, expiresAt: { gt: new Date() } },
  });
  const purpose = row ? Purpose.parse(JSON.parse(row.value)) : null;
  if (purpose?.kind !== "invite") throw noInvitation();
  return purpose;
}

function noInvitation(): AppError {
  return new AppError("not_found", "There is no such invitation; it may have been used or have expired.");
}

async function findPurpose(services: Services, token: string, headers: Headers): Promise<Purpose> {
  const client = clientKey(headers);
  await checkRate(services, ACCOUNT_LINK, client);
  const row = await services.database.verification.findFirst({
    where: { identifier: identifierOf(token), expiresAt: { gt: new Date() } },
  });
  const purpose = row && Purpose.parse(JSON.parse(row.value));
  if (purpose && (await mayStillHandOut(services.database, purpose.by))) return purpose;
  await countRate(services, ACCOUNT_LINK, client);
  throw gone();
}

/** Links are made by administrators, and end with their role. */
async function mayStillHandOut(database: Database, userId: string): Promise<boolean> {
  const isAdmin = { OR: [{ role: "admin" }, { groupRole: "admin" }] };
  return (await database.user.count({ where: { id: userId, deactivatedAt: null, ...isAdmin } })) > 0;
}

function gone(): AppError {
  return new AppError("not_found", "This link has expired or was used. Ask an administrator for a new one.");
}

/** Only the token's hash is stored. */
function identifierOf(token: string): string {
  return `${LINK_PREFIX}${createHash("sha256").update(token).digest("hex")}`;
}
