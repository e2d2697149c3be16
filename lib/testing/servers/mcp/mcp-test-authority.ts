import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { InvalidGrantError, InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { OAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/provider.js";
import { createOAuthMetadata, mcpAuthRouter } from "@modelcontextprotocol/sdk/server/auth/router.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

/**
 * The sign-in of a test's MCP server: registration, PKCE, codes and rotating refresh tokens by the SDK's own router.
 */
export interface McpTestAuthority {
  /** The decision of the next person to sign in; default `allow`. */
  decision: "allow" | "deny";
  /** The account that person signs in with; null: the server does not report one. */
  account: string | null;
  /** The lifetime of tokens issued from now on; default an hour. */
  lifetimeSeconds: number;
  /** Tokens revoked by clients (RFC 7009). */
  readonly revoked: string[];
  /** Restricts sign-in to this client and disables registration. */
  knowOnly(id: string, secret: string, redirectUrl: string): void;
  /** How many times tokens were refreshed. */
  renewals(): number;
  /** Expires all access tokens; refresh tokens remain valid. */
  expireAll(): void;
  /** Revokes all tokens. */
  revokeAll(): void;
  /** The account of a request's token. */
  accountOf(request: Pick<IncomingMessage, "headers">): string | null;
  answers(url: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  admits(request: IncomingMessage): boolean;
  refuse(response: ServerResponse): void;
}

const PATHS = /^\/(\.well-known\/|authorize|token|register|revoke)/;

interface Code {
  readonly challenge: string;
  readonly account: string | null;
}

export function createMcpTestAuthority(origin: string): McpTestAuthority {
  const clients = new Map<string, OAuthClientInformationFull>();
  const codes = new Map<string, Code>();
  const access = new Map<string, string | null>();
  const refresh = new Map<string, string | null>();
  const revoked: string[] = [];
  let isOpen = true;
  let renewals = 0;
  const give = (account: string | null): OAuthTokens => {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() };
    access.set(tokens.access_token, account);
    refresh.set(tokens.refresh_token, account);
    const claims = Buffer.from(JSON.stringify({ email: account })).toString("base64url");
    const identity = account === null ? {} : { id_token: `e30.${claims}.` };
    return { ...tokens, ...identity, token_type: "Bearer", expires_in: authority.lifetimeSeconds };
  };
  const provider: OAuthServerProvider = {
    async revokeToken(_client, { token }) {
      revoked.push(token);
      access.delete(token);
      refresh.delete(token);
    },
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient(client) {
        const full = { ...client, client_id: randomUUID(), client_id_issued_at: 0 };
        clients.set(full.client_id, full);
        return full;
      },
    },
    async authorize(_client, { redirectUri, state = "", codeChallenge: challenge }, response) {
      const target = new URL(redirectUri);
      target.searchParams.set("state", state);
      if (authority.decision === "deny") target.searchParams.set("error", "access_denied");
      else {
        const code = randomUUID();
        codes.set(code, { challenge, account: authority.account });
        target.searchParams.set("code", code);
      }
      response.redirect(target.href);
    },
    challengeForAuthorizationCode: async (_client, code) => codes.get(code)?.challenge ?? "",
    async exchangeAuthorizationCode(_client, code) {
      const known = codes.get(code);
      if (!known) throw new InvalidGrantError("Unknown code");
      codes.delete(code);
      return give(known.account);
    },
    async exchangeRefreshToken(_client, token) {
      const account = refresh.get(token);
      if (account === undefined) throw new InvalidGrantError("Unknown refresh token");
      refresh.delete(token);
      renewals += 1;
      return give(account);
    },
    async verifyAccessToken(token) {
      if (!access.has(token)) throw new InvalidTokenError("Unknown token");
      return { token, clientId: "", scopes: [] };
    },
  };
  const app = createMcpExpressApp();
  const unlimited = { rateLimit: false } as const;
  const oauthMetadata = createOAuthMetadata({ provider, issuerUrl: new URL(origin) });
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      resourceServerUrl: new URL(origin),
      authorizationOptions: unlimited,
      clientRegistrationOptions: unlimited,
      tokenOptions: unlimited,
      revocationOptions: unlimited,
    }),
  );
  const tokenOf = ({ headers }: Pick<IncomingMessage, "headers">) =>
    (headers.authorization ?? "").replace(/^Bearer /, "");
  const authority: McpTestAuthority = {
    decision: "allow",
    account: null,
    lifetimeSeconds: 3_600,
    renewals: () => renewals,
    expireAll: () => access.clear(),
    revokeAll() {
      access.clear();
      refresh.clear();
    },
    accountOf: (request) => access.get(tokenOf(request)) ?? null,
    answers: (url) => PATHS.test(url),
    revoked,
    knowOnly(id, secret, redirectUrl) {
      isOpen = false;
      clients.clear();
      clients.set(id, { client_id: id, client_secret: secret, redirect_uris: [redirectUrl] });
    },
    handle(request, response) {
      if (!isOpen && request.url?.startsWith("/.well-known/oauth-authorization-server")) {
        const { registration_endpoint: _, ...closed } = oauthMetadata;
        return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(closed));
      }
      app(request, response);
    },
    admits: (request) => access.has(tokenOf(request)),
    refuse(response) {
      const where = `${origin}/.well-known/oauth-protected-resource`;
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${where}"` }).end();
    },
  };
  return authority;
}
