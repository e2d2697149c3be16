import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { betterAuth } from "better-auth/minimal";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { StoredOidc } from "@/lib/schema/users/oidc";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { clientKey, SIGN_IN_PER_CLIENT, takeRate } from "@/lib/server/http/rate-limit";
import { changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { OIDC_PURPOSE, secretBox } from "@/lib/server/platform/secrets/secrets";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { auth, authOptions } from "@/lib/server/users/auth/better-auth";
import { setOidcGroups } from "@/lib/server/users/groups/group-roles";
import { discoveryUrl, readOidc } from "./oidc-settings";

/** What the identity provider said in the callback being answered. */
interface Arrival {
  profile: Readonly<Record<string, unknown>>;
  accessToken?: string | undefined;
  isNew: boolean;
}

const arrivalsOf = serviceState("oidc-arrivals", () => new AsyncLocalStorage<Arrival>());
const latestAuth = serviceState("oidc-auth", () => ({ key: "", auth: null as OidcAuth | null }));

/**
 * Where the browser must go, and the cookies that bind the provider's answer to it. Throws `not_found`, `unavailable`,
 * `rate_limited`.
 */
export async function startOidc(
  services: Services,
  callbackURL: string,
  headers: Headers,
): Promise<{ readonly url: string; readonly setCookie: string[] }> {
  const { oidc, settings } = await oidcAuth(services);
  // Each start is kept until the provider answers.
  await takeRate(services, SIGN_IN_PER_CLIENT, clientKey(headers));
  const reply = await oidc.api.signInSocial({
    body: { provider: "oidc", callbackURL, errorCallbackURL: "/sign-in", disableRedirect: true },
    headers: new Headers({ cookie: headers.get("cookie") ?? "" }),
    asResponse: true,
  });
  const started = Started.safeParse(await reply.json().catch(() => null));
  if (!reply.ok || !started.success) {
    throw new AppError(
      "unavailable",
      `${settings.name} does not answer. Try again in a moment; an administrator with a password can still sign in.`,
    );
  }
  return { url: started.data.url, setCookie: reply.headers.getSetCookie() };
}

const Started = z.object({ url: z.url() });

/**
 * Answers the identity provider's redirect: a person is identified by issuer and subject alone, gets the role and
 * groups mapped from the provider's groups, and is signed in. Every failure leads back to the sign-in page with a code.
 */
export async function finishOidc(services: Services, request: Request): Promise<Response> {
  const { database } = services;
  const { oidc, settings } = await oidcAuth(services);
  const arrival: Arrival = { profile: {}, isNew: false };
  const url = new URL(request.url);
  const headers = new Headers({ cookie: request.headers.get("cookie") ?? "" });
  for (const name of ["user-agent", "x-forwarded-for"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const asked = new Request(`${env().publicUrl}/api/auth/callback/oidc${url.search}`, { headers });
  const reply = await arrivalsOf(services).run(arrival, () => oidc.handler(asked));
  const cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const session = cookie.includes("session_token")
    ? await auth(services).api.getSession({ headers: new Headers({ cookie }) })
    : null;
  if (!session) return reply;
  const user = await database.user.findUniqueOrThrow({
    where: { id: session.user.id },
    select: { id: true, email: true, role: true, deactivatedAt: true, isService: true },
  });
  if (user.deactivatedAt !== null || user.isService) {
    await database.session.deleteMany({ where: { id: session.session.id } });
    return Response.redirect(`${env().publicUrl}/sign-in?error=deactivated`, 302);
  }
  try {
    await applyGroups(services, user, arrival, settings);
  } catch (error) {
    // Nobody is signed in with unknown rights, and a newcomer is a newcomer again the next time.
    if (arrival.isNew) await database.user.delete({ where: { id: user.id } });
    else await database.session.deleteMany({ where: { id: session.session.id } });
    if (!(error instanceof AppError)) throw error;
    return Response.redirect(`${env().publicUrl}/sign-in?error=groups_unknown`, 302);
  }
  return reply;
}

interface OidcUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

async function applyGroups(services: Services, user: OidcUser, arrival: Arrival, settings: StoredOidc): Promise<void> {
  const { isNew } = arrival;
  const names = groupNames(await groupClaim(arrival, settings));
  const rules = settings.groups.filter(({ group }) => names.includes(group));
  const before = Role.parse(user.role);
  const wanted = isNew || settings.groups.some(({ role }) => role !== undefined) ? roleBy(rules, settings) : before;
  const role = await keptRole(services.database, user.id, before, wanted);
  const groupIds = rules.flatMap(({ groupId }) => groupId ?? []);
  const entry = { actorId: user.id, target: `user:${user.id}`, details: { by: "oidc" } };
  await setOidcGroups(services.database, user.id, groupIds, (groups) => {
    const after = { email: user.email, role, groups: groups.after };
    const sides = changedFields({ role: before, groups: groups.before }, { role, groups: groups.after });
    const isChanged = Object.keys(sides.after).length > 0;
    return [
      ...(role === before ? [] : [services.database.user.update({ where: { id: user.id }, data: { role } })]),
      ...(isNew ? [auditQuery(services, { ...entry, action: "user.created", after })] : []),
      ...(!isNew && isChanged ? [auditQuery(services, { ...entry, action: "user.changed", ...sides })] : []),
      auditQuery(services, { ...entry, action: "session.created" }),
    ];
  });
}

/** From the ID token, or from the same person's userinfo if the token does not contain it. */
async function groupClaim({ profile, accessToken }: Arrival, settings: StoredOidc): Promise<unknown> {
  const { groupClaim: name, groups, issuer } = settings;
  if (profile[name] !== undefined || accessToken === undefined || groups.length === 0) return profile[name];
  try {
    const discovery = await askProvider(discoveryUrl(issuer));
    const { userinfo_endpoint: endpoint } = Discovery.parse(discovery);
    if (endpoint === undefined) return undefined;
    const said = z.looseObject({ sub: z.string() }).parse(await askProvider(endpoint, accessToken));
    return said.sub === profile.sub ? said[name] : undefined;
  } catch (error) {
    logger().warn({ err: error }, "the identity provider did not say the groups of a person");
    throw new AppError("unavailable", `${settings.name} did not say which groups you are in. Try again in a moment.`);
  }
}

const Discovery = z.object({ userinfo_endpoint: z.url().optional() });
const ASKED_MS = 10_000;

async function askProvider(url: string, accessToken?: string): Promise<unknown> {
  const headers: Record<string, string> = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  const reply = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(ASKED_MS) });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return reply.json();
}

function groupNames(claim: unknown): readonly string[] {
  const names = z.union([z.array(z.string()), z.string().transform((name) => [name])]).safeParse(claim);
  return names.success ? names.data : [];
}

function roleBy(rules: StoredOidc["groups"], { defaultRole }: StoredOidc): Role {
  const roles = rules.flatMap(({ role }) => role ?? []);
  return roles.reduce<Role | null>((highest, role) => effectiveRole(role, highest), null) ?? defaultRole;
}

/** The last administrator keeps the role, whatever the identity provider says. */
async function keptRole(database: Database, userId: string, before: Role, wanted: Role): Promise<Role> {
  if (before !== "admin" || wanted === "admin") return wanted;
  const others = await database.user.count({
    where: { role: "admin", isService: false, deactivatedAt: null, id: { not: userId } },
  });
  return others === 0 ? "admin" : wanted;
}

/** better-auth over the current settings. Throws `not_found` if nothing is set up. */
async function oidcAuth(services: Services) {
  const settings = await readOidc(services.database);
  if (settings === null) throw new AppError("not_found", "Sign-in through an identity provider is not set up.");
  const state = latestAuth(services);
  const key = JSON.stringify([settings.issuer, settings.clientId, settings.secretEncrypted]);
  if (state.auth === null || state.key !== key) {
    state.auth = createOidcAuth(services, settings);
    state.key = key;
  }
  return { oidc: state.auth, settings };
}

type OidcAuth = ReturnType<typeof createOidcAuth>;

function createOidcAuth(services: Services, { issuer, clientId, secretEncrypted }: StoredOidc) {
  const arrivals = arrivalsOf(services);
  return betterAuth({
    ...authOptions(services.database),
    onAPIError: { errorURL: `${env().publicUrl}/sign-in` },
    // A taken address belongs to somebody: an account is never linked by address.
    account: { accountLinking: { enabled: false }, encryptOAuthTokens: true },
    databaseHooks: {
      user: {
        create: {
          after: async () => {
            const arrival = arrivals.getStore();
            if (arrival) arrival.isNew = true;
          },
        },
      },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: "oidc",
            discoveryUrl: discoveryUrl(issuer),
            requireIdTokenVerification: true,
            clientId,
            clientSecret: secretBox().decrypt(secretEncrypted, OIDC_PURPOSE),
            scopes: ["openid", "email", "profile"],
            accountSubject: ({ profile, tokens }) => {
              const arrival = arrivals.getStore();
              if (arrival) arrival.accessToken = tokens.accessToken;
              return `${issuer}|${profile.sub}`;
            },
            mapProfileToUser: (profile) => {
              const arrival = arrivals.getStore();
              if (arrival) arrival.profile = profile;
              return { name: displayName(profile) };
            },
          },
        ],
      }),
    ],
  });
}

function displayName(profile: Readonly<Record<string, unknown>>): string {
  const names = [profile.name, profile.preferred_username, profile.email];
  return String(names.find((name) => typeof name === "string" && name.trim() !== "") ?? "Unnamed").slice(0, 120);
}
