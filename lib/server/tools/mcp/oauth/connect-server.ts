import "server-only";
import { createHash, randomBytes } from "node:crypto";
import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  registerClient,
  startAuthorization,
} from "@modelcontextprotocol/sdk/client/auth.js";
import type { AuthorizationServerMetadata, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { checkResourceAllowed, resourceUrlFromServerUrl } from "@modelcontextprotocol/sdk/shared/auth-utils.js";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { ConnectMcpServerBody, McpCallbackQuery, McpConnectResult } from "@/lib/schema/tools/mcp-connection";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { createGuardedFetch, type GuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { logger } from "@/lib/server/platform/logger";
import { mcpAuthorizationPurpose, SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { askForTools, McpServerAway } from "@/lib/server/tools/mcp/ask-server";
import { mcpPool } from "@/lib/server/tools/mcp/pool";
import { type McpServerRow, readSecrets } from "@/lib/server/tools/mcp/server-row";
import { expiryOf, oauthFetch } from "./authorized-fetch";
import { Authority, holderOf, McpNotConnected, sealConnection } from "./connection-row";
import { findOAuthServer } from "./manage-connections";
import { resumeConnected } from "./resume-connected";

/** How long a person may take at the server's sign-in. */
const OPEN_MS = 600_000;
const ASKED_MS = 20_000;

const Started = z.object({
  verifier: z.string(),
  authority: Authority,
  /** The address for which the person allows access: if it has changed since, it gets no tokens. */
  serverUrl: z.string(),
  scope: z.string(),
  returnTo: z.enum(["tools", "connections", "inbox", "thread"]),
  threadId: z.string().optional(),
});

/** What the callback needs from its request: the caller's credential, as a hash. */
interface Caller {
  readonly viewer: Viewer;
  readonly session: string;
}

/**
 * The address at which the viewer's browser allows the access; only an administrator can create a shared connection.
 * Throws `not_found`, `forbidden`, `not_available`, `unavailable` if the server's sign-in can't be used.
 */
export async function startConnecting(
  database: Database,
  serverId: string,
  { returnTo, threadId }: ConnectMcpServerBody,
  { viewer, session }: Caller,
): Promise<string> {
  const server = await findOAuthServer(database, serverId, viewer);
  const state = randomBytes(32).toString("base64url");
  const guarded = createGuardedFetch({ allowedPrivateHosts: env().allowedPrivateHosts });
  try {
    const { authority, verifier, url } = await prepare(server, state, guarded);
    const stateHash = hashOf(state);
    const sealed = secretBox().encrypt(
      JSON.stringify({ verifier, authority, serverUrl: server.url, scope: server.scope, returnTo, threadId }),
      mcpAuthorizationPurpose(stateHash),
    );
    const expiresAt = new Date(Date.now() + OPEN_MS);
    const holder = holderOf(server, viewer.id);
    await database.$transaction([
      database.mcpAuthorization.deleteMany({ where: { expiresAt: { lt: new Date() } } }),
      database.mcpAuthorization.create({
        data: { stateHash, serverId, holder, userId: viewer.id, session, sealed, expiresAt },
      }),
    ]);
    return url;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("unavailable", `The sign-in of ${serverId} can't be used: ${reasonOf(error)}`, { cause: error });
  } finally {
    await guarded.close();
  }
}

async function prepare(server: McpServerRow, state: string, guarded: GuardedFetch) {
  const serverUrl = server.url ?? "";
  const fetchFn = oauthFetch(guarded.fetch);
  const asked = await askForAuthentication(serverUrl, guarded);
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = await discoverOAuthServerInfo(
    serverUrl,
    { fetchFn, ...(asked.resourceMetadataUrl ? { resourceMetadataUrl: asked.resourceMetadataUrl } : {}) },
  );
  requireRegistration(authorizationServerMetadata, server);
  const metadata = authorizationServerMetadata ? { metadata: authorizationServerMetadata } : {};
  const resource = resourceMetadata?.resource ?? null;
  if (resource !== null) checkResource(serverUrl, resource);
  const scope = asked.scope ?? resourceMetadata?.scopes_supported?.join(" ");
  const scoped = scope ? { scope } : {};
  const client =
    givenClient(server) ??
    (await registerClient(authorizationServerUrl, { ...metadata, clientMetadata: ownClient(), ...scoped, fetchFn }));
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
    ...metadata,
    clientInformation: client,
    redirectUrl: redirectUrl(),
    state,
    ...scoped,
    ...(resource === null ? {} : { resource }),
  });
  if (authorizationUrl.protocol !== "https:" && authorizationUrl.protocol !== "http:") {
    throw new Error("Its address is not one that a browser opens.");
  }
  const authority = { url: authorizationServerUrl, metadata: authorizationServerMetadata ?? null, resource, client };
  return { authority, verifier: codeVerifier, url: authorizationUrl.href };
}

function ownClient() {
  return {
    client_name: "Ringmaster",
    redirect_uris: [redirectUrl()],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** The client that an administrator has registered there; null if this installation registers itself. */
function givenClient(server: McpServerRow) {
  const { client } = readSecrets(server);
  if (client === null) return null;
  return { client_id: client.id, ...(client.secret === null ? {} : { client_secret: client.secret }) };
}

/** Without a given client, the sign-in must let this installation register itself. */
function requireRegistration(metadata: AuthorizationServerMetadata | undefined, server: McpServerRow): void {
  if (metadata === undefined || metadata.registration_endpoint !== undefined || givenClient(server)) return;
  throw new Error(
    `it lets no client register itself. Register one there with the redirect address ${redirectUrl()}, and give its id (and secret) in the settings of the server.`,
  );
}

/** Tokens for another address would be useless here, and this server has no right to them. */
function checkResource(serverUrl: string, resource: string): void {
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (checkResourceAllowed({ requestedResource, configuredResource: resource })) return;
  throw new Error(`It speaks for another address, ${resource}.`);
}

/** What the server tells an unauthenticated client about its sign-in; empty if nothing. */
async function askForAuthentication(serverUrl: string, { fetch }: GuardedFetch) {
  const signal = AbortSignal.timeout(ASKED_MS);
  const reply = await fetch(serverUrl, { headers: { accept: "application/json, text/event-stream" }, signal });
  await reply.body?.cancel();
  return reply.status === 401 ? extractWWWAuthenticateParams(reply) : {};
}

function redirectUrl(): string {
  return `${env().publicUrl}/api/mcp-servers/callback`;
}

/**
 * Completes what `startConnecting` began, once and for the same person in the same session: stores the tokens. Returns
 * the page that reports the outcome. Throws `invalid_input` for a state that was not issued here.
 */
export async function finishConnecting(
  services: Services,
  query: McpCallbackQuery,
  { viewer, session }: Caller,
): Promise<string> {
  const { database } = services;
  const stateHash = hashOf(query.state);
  const row = await database.mcpAuthorization.findUnique({ where: { stateHash }, include: { server: true } });
  const { count } = await database.mcpAuthorization.deleteMany({ where: { stateHash } });
  const isOwn = row?.userId === viewer.id && row.session === session;
  if (!row || count === 0 || !isOwn || row.expiresAt.getTime() < Date.now()) {
    const message =
      "This sign-in was not begun in this session, was already used, or took too long. Connect to the server again.";
    throw new AppError("invalid_input", message);
  }
  const { server, holder } = row;
  const started = openStarted(stateHash, row.sealed);
  if (!started)
    throw new AppError("invalid_input", "This sign-in can't be read any more. Connect to the server again.");
  const page = (result: McpConnectResult) => pageOf(started, server.id, result);
  if (query.error !== undefined || query.code === undefined) {
    return page(query.error === "access_denied" ? "denied" : "failed");
  }
  const tokens = await exchange(query.code, started, server.id).catch((error: unknown) => {
    logger().warn({ serverId: server.id, reason: reasonOf(error) }, "an MCP server refused the code of a sign-in");
    return null;
  });
  if (!tokens) return page("failed");
  const key = { serverId: server.id, holder };
  const stored = {
    sealed: sealConnection(key, { authority: started.authority, tokens }),
    account: accountOf(tokens),
    expiresAt: expiryOf(tokens),
    lostAt: null,
    connectedById: viewer.id,
    connectedAt: new Date(),
  };
  const details = { scope: server.scope, account: stored.account };
  const record = { actorId: viewer.id, action: "mcp_server.connected", target: `mcp_server:${server.id}`, details };
  await database.$transaction([
    database.mcpConnection.upsert({
      where: { serverId_holder: key },
      create: { ...key, ...stored },
      update: stored,
    }),
    database.auditEntry.create({ data: auditColumns(record) }),
  ]);
  mcpPool(services).drop(server.id);
  await resumeConnected(database);
  if (server.askedAt === null && hasAdminScope(viewer)) await askFirst(services, server, viewer);
  return page("connected");
}

/** Queries the server, which was impossible before; one that does not answer is recorded as away. */
async function askFirst(services: Services, server: McpServerRow, viewer: Viewer): Promise<void> {
  await askForTools(services, server, viewer.id).catch((error: unknown) => {
    if (!(error instanceof McpServerAway || error instanceof McpNotConnected)) throw error;
  });
}

function openStarted(stateHash: string, sealed: string) {
  try {
    return Started.parse(JSON.parse(secretBox().decrypt(sealed, mcpAuthorizationPurpose(stateHash))));
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

async function exchange(code: string, { authority, verifier }: z.infer<typeof Started>, serverId: string) {
  const guarded = createGuardedFetch({ allowedPrivateHosts: env().allowedPrivateHosts });
  const { url, metadata, resource, client } = authority;
  try {
    const tokens = await exchangeAuthorization(url, {
      ...(metadata === null ? {} : { metadata: metadata as AuthorizationServerMetadata }),
      clientInformation: client,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirectUrl(),
      ...(resource === null ? {} : { resource }),
      fetchFn: oauthFetch(guarded.fetch),
    });
    if (tokens.token_type.toLowerCase() !== "bearer") throw new Error(`${serverId} gave no bearer token.`);
    return tokens;
  } finally {
    await guarded.close();
  }
}

const IdClaims = z.object({
  email: z.string().optional(),
  preferred_username: z.string().optional(),
  name: z.string().optional(),
});

/** The person's account name at the server: only displayed, so the signature is not verified. */
function accountOf({ id_token: idToken }: OAuthTokens): string | null {
  if (idToken === undefined) return null;
  try {
    const payload = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString("utf8");
    const { email, preferred_username: login, name } = IdClaims.parse(JSON.parse(payload));
    return (email ?? login ?? name)?.slice(0, 200) ?? null;
  } catch {
    return null;
  }
}

/** A waiting run shows itself that it is connected; the page of connections reports problems. */
function pageOf({ returnTo, threadId }: z.infer<typeof Started>, serverId: string, result: McpConnectResult): string {
  if (result === "connected" && returnTo === "inbox") return "/inbox";
  if (result === "connected" && threadId !== undefined) return `/threads/${encodeURIComponent(threadId)}`;
  const search = new URLSearchParams({ server: serverId, result });
  return returnTo === "tools" ? `/admin/tools?tab=mcp&${search}` : `/inbox/connections?${search}`;
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
