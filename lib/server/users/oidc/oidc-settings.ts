import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type ChangeOidcBody, type OidcSettings, type OidcTest, StoredOidc } from "@/lib/schema/users/oidc";
import type { Viewer } from "@/lib/schema/users/user";
import { auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { refuseKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import { keyIdOf, OIDC_PURPOSE, secretBox } from "@/lib/server/platform/secrets/secrets";
import { requireGroups } from "@/lib/server/users/groups/groups";

/** The key of its row in the settings. */
export const OIDC_SETTING = "oidc";

const TEST_TIMEOUT_MS = 8_000;

const DEFAULTS = {
  name: "single sign-on",
  groupClaim: "groups",
  groups: [],
  defaultRole: "member",
  localSignIn: true,
} as const satisfies Partial<StoredOidc>;

/** The stored settings; null if nothing is set up. */
export async function readOidc(database: Database): Promise<StoredOidc | null> {
  const row = await database.setting.findUnique({ where: { key: OIDC_SETTING }, select: { value: true } });
  return row ? StoredOidc.parse(JSON.parse(row.value)) : null;
}

/** Without the secret. */
export async function getOidcSettings(database: Database): Promise<OidcSettings> {
  const stored = await readOidc(database);
  const callbackUrl = oidcCallbackUrl();
  if (stored === null) {
    return { ...DEFAULTS, groups: [], issuer: null, clientId: null, clientSecret: { set: false }, callbackUrl };
  }
  const { secretEncrypted, ...settings } = stored;
  return { ...settings, clientSecret: { set: true, keyId: keyIdOf(secretEncrypted) }, callbackUrl };
}

function oidcCallbackUrl(): string {
  return `${env().publicUrl}/api/auth/callback/oidc`;
}

/**
 * Changes the given fields. Throws `invalid_input` for fields missing the first time, and `conflict` if local sign-in
 * would end while no administrator signs in through the identity provider.
 */
export async function changeOidc(
  database: Database,
  { clientSecret, ...change }: ChangeOidcBody,
  viewer: Viewer,
): Promise<OidcSettings> {
  const before = await readOidc(database);
  const given = { ...DEFAULTS, ...before, ...change };
  const missing = [
    ...(given.issuer === undefined ? ["issuer"] : []),
    ...(given.clientId === undefined ? ["clientId"] : []),
    ...(before === null && clientSecret === undefined ? ["clientSecret"] : []),
  ];
  if (missing.length > 0) throw missingFields(missing);
  refuseKeptSecrets([
    {
      path: "clientSecret",
      isKept: before !== null && clientSecret === undefined,
      from: before?.issuer ?? null,
      to: given.issuer ?? null,
    },
  ]);
  const ids = given.groups.flatMap(({ groupId }) => groupId ?? []);
  await requireGroups(database, ids, "groups");
  const after = StoredOidc.parse({
    ...given,
    secretEncrypted:
      clientSecret === undefined ? before?.secretEncrypted : secretBox().encrypt(clientSecret, OIDC_PURPOSE),
  });
  if (!after.localSignIn) await requireOidcAdmin(database, after.issuer);
  const value = JSON.stringify(after);
  const record = {
    actorId: viewer.id,
    action: "oidc.changed",
    target: "settings:oidc",
    ...changedFields(before === null ? {} : sidesOf(before), sidesOf(after)),
    details: clientSecret === undefined ? {} : { secretChanged: true },
  };
  await database.$transaction([
    database.setting.upsert({
      where: { key: OIDC_SETTING },
      create: { key: OIDC_SETTING, value },
      update: { value },
    }),
    database.auditEntry.create({ data: auditColumns(record) }),
  ]);
  return getOidcSettings(database);
}

/** Ends sign-in through the identity provider; everybody with a password can sign in with it again. */
export async function removeOidc(database: Database, viewer: Viewer): Promise<void> {
  const before = await readOidc(database);
  if (before === null) throw new AppError("not_found", "Sign-in through an identity provider is not set up.");
  const record = { actorId: viewer.id, action: "oidc.removed", target: "settings:oidc", before: sidesOf(before) };
  await database.$transaction([
    database.setting.deleteMany({ where: { key: OIDC_SETTING } }),
    database.auditEntry.create({ data: auditColumns(record) }),
  ]);
}

/** Checks that the issuer's discovery document names it; a wrong client secret only shows at a sign-in. */
export async function testOidc(database: Database): Promise<OidcTest> {
  const stored = await readOidc(database);
  if (stored === null) throw new AppError("not_found", "Sign-in through an identity provider is not set up.");
  const url = discoveryUrl(stored.issuer);
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(TEST_TIMEOUT_MS) });
    if (!reply.ok) return { ok: false, error: `${url} answered ${reply.status}. Check the issuer.` };
    const { issuer } = (await reply.json()) as { issuer?: unknown };
    if (issuer === stored.issuer) return { ok: true };
    return { ok: false, error: `${url} calls itself ${String(issuer).slice(0, 300)}. Use exactly that as the issuer.` };
  } catch {
    return { ok: false, error: `${url} does not answer. Check the issuer, and that this server can reach it.` };
  }
}

export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

async function requireOidcAdmin(database: Database, issuer: string): Promise<void> {
  const admin = await database.account.findFirst({
    where: {
      providerId: "oidc",
      accountId: { startsWith: `${issuer}|` },
      user: { deactivatedAt: null, OR: [{ role: "admin" }, { groupRole: "admin" }] },
    },
    select: { id: true },
  });
  if (admin) return;
  throw new AppError(
    "conflict",
    "No administrator has signed in through the identity provider yet. Sign in that way as an administrator first, then switch passwords off.",
    {
      details: [{ path: "localSignIn", message: "Needs an administrator who signs in through the identity provider." }],
    },
  );
}

function sidesOf({ secretEncrypted: _, ...settings }: StoredOidc) {
  return settings;
}

function missingFields(names: readonly string[]): AppError {
  const details = names.map((path) => ({ path, message: "Is missing." }));
  return new AppError("invalid_input", `${names.join(", ")}: is missing.`, { details });
}
