import "server-only";
import { refreshAuthorization } from "@modelcontextprotocol/sdk/client/auth.js";
import {
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { GuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { createKeyLock, type KeyLock } from "@/lib/server/platform/key-lock";
import { type Services, serviceState } from "@/lib/server/platform/services";
import type { McpServerRow } from "@/lib/server/tools/mcp/server-row";
import {
  type ConnectionSecrets,
  findConnection,
  type McpConnectionRow,
  McpNotConnected,
  openConnection,
  sealConnection,
} from "./connection-row";

/** A token that expires within this time is renewed before use. */
const RENEWED_BEFORE_MS = 30_000;
const OAUTH_TIMEOUT_MS = 20_000;
const MAX_OAUTH_CHARS = 1_000_000;

interface Connected {
  readonly row: McpConnectionRow;
  readonly secrets: ConnectionSecrets;
}

/** The holder whose tokens a connection to a server carries. */
export interface TokenHolder {
  readonly services: Services;
  readonly server: McpServerRow;
  readonly holder: string;
}

type Send = GuardedFetch["fetch"];

/**
 * `send` with the holder's token, read for each request, so that a disconnect takes effect at once. An expired or
 * refused token is renewed once. Throws McpNotConnected if that is not possible.
 */
export function authorizedFetch(of: TokenHolder, send: Send): Send {
  return async (input, init = {}) => {
    const known = await readConnected(of);
    const current = expiresSoon(known.row) ? await renew(of, known, send) : known;
    const reply = await send(input, withToken(init, current));
    if (reply.status !== 401) return reply;
    await reply.body?.cancel();
    const renewed = await renew(of, current, send);
    const again = await send(input, withToken(init, renewed));
    if (again.status !== 401) return again;
    await again.body?.cancel();
    throw await markLost(of, renewed);
  };
}

/**
 * Requests of the OAuth protocol itself: to checked addresses, with limited time and response size. The protocol's
 * library reads errors only from the platform's own Response, which undici's is not.
 */
export function oauthFetch(send: Send): Send {
  return async (input, init = {}) => {
    const reply = await send(input, { ...init, signal: AbortSignal.timeout(OAUTH_TIMEOUT_MS) });
    const { status, headers } = reply;
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : await readText(reply), { status, headers: [...headers] });
  };
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_OAUTH_CHARS) throw new Error("Its sign-in answered with more than a megabyte.");
  }
  return text;
}

function withToken(init: RequestInit, { secrets }: Connected): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${secrets.tokens.access_token}`);
  return { ...init, headers };
}

async function readConnected({ services, server, holder }: TokenHolder): Promise<Connected> {
  const row = await findConnection(services.database, server, holder);
  const secrets = row && row.lostAt === null ? openConnection(row) : null;
  if (!row || !secrets) throw new McpNotConnected(server.id, holder, row);
  return { row, secrets };
}

function expiresSoon({ expiresAt }: McpConnectionRow): boolean {
  return expiresAt !== null && expiresAt.getTime() - Date.now() < RENEWED_BEFORE_MS;
}

const tokenLock = serviceState("mcp-token-lock", (): KeyLock => createKeyLock());

/**
 * Serializes renewals, because a server may accept each refresh token only once; if another process was faster, it has
 * already stored the valid tokens.
 */
function renew(of: TokenHolder, used: Connected, send: Send): Promise<Connected> {
  return tokenLock(of.services)(`${of.server.id} ${of.holder}`, async () => {
    const now = await readConnected(of);
    if (now.row.sealed !== used.row.sealed) return now;
    const { refresh_token: refreshToken } = now.secrets.tokens;
    if (refreshToken === undefined) throw await markLost(of, now);
    try {
      return await store(of, now, await refresh(now.secrets, refreshToken, send));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const stored = await readConnected(of);
      if (stored.row.sealed !== now.row.sealed) return stored;
      throw await markLost(of, now);
    }
  });
}

function refresh({ authority }: ConnectionSecrets, refreshToken: string, send: Send) {
  const { url, metadata, resource, client } = authority;
  return refreshAuthorization(url, {
    ...(metadata === null ? {} : { metadata: metadata as AuthorizationServerMetadata }),
    clientInformation: client,
    refreshToken,
    ...(resource === null ? {} : { resource }),
    fetchFn: oauthFetch(send),
  });
}

/** Whether the server has refused; being away or busy is no refusal. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ServerError || error instanceof TemporarilyUnavailableError) return false;
  return error instanceof OAuthError && !(error instanceof TooManyRequestsError);
}

async function store(
  of: TokenHolder,
  { row, secrets }: Connected,
  tokens: Awaited<ReturnType<typeof refreshAuthorization>>,
): Promise<Connected> {
  const sealed = sealConnection(row, { ...secrets, tokens });
  const { serverId, holder } = row;
  const data = { sealed, expiresAt: expiryOf(tokens) };
  await of.services.database.mcpConnection.updateMany({ where: { serverId, holder, sealed: row.sealed }, data });
  return readConnected(of);
}

/** The expiry of a token received now; null if the server gives none. */
export function expiryOf({ expires_in: seconds }: { readonly expires_in?: number | undefined }): Date | null {
  return seconds === undefined ? null : new Date(Date.now() + seconds * 1_000);
}

/** Changes nothing if other tokens have been stored since. */
async function markLost({ services, server, holder }: TokenHolder, { row }: Connected): Promise<McpNotConnected> {
  const where = { serverId: row.serverId, holder, sealed: row.sealed };
  await services.database.mcpConnection.updateMany({ where, data: { lostAt: new Date() } });
  return new McpNotConnected(server.id, holder, row);
}
