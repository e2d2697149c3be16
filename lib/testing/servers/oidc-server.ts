import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** The identity provider's claims about the person signing in. */
export interface OidcPerson {
  readonly sub: string;
  readonly email: string;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** The groups are only in the userinfo, not in the ID token. */
  readonly hasGroupsInUserInfoOnly?: boolean;
}

export interface OidcServer {
  readonly issuer: string;
  /** Follows the address of a started sign-in like that person's browser; returns the final redirect. */
  signIn(url: string, person: OidcPerson): Promise<string>;
  /** Sets the person who signs in next, in a browser. */
  expect(person: OidcPerson): void;
  close(): Promise<void>;
}

export const OIDC_CLIENT = { clientId: "ringmaster", clientSecret: "a-secret-of-the-client" } as const;

const signingKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

/** A certified identity provider on this machine; everybody consents to everything. */
export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  let person: OidcPerson | null = null;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.clientId,
        client_secret: OIDC_CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async (use: string) => {
        const { groups, hasGroupsInUserInfoOnly: isOnlyThere = false, ...said } = person ?? {};
        const isSaid = groups !== undefined && (use === "userinfo" || !isOnlyThere);
        return { email_verified: true, ...said, ...(isSaid ? { groups } : {}), sub };
      },
    }),
    cookies: { keys: ["a key of the tests"] },
    jwks: { keys: [{ ...signingKey(), kid: "test", use: "sig", alg: "RS256" }] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  const handle = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return handle(request, response);
    const { params, grantId } = await provider.interactionDetails(request, response);
    const accountId = person?.sub ?? "nobody";
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant?.addOIDCScope("openid email profile");
    const result = { login: { accountId }, consent: { grantId: await grant?.save() } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  return {
    issuer,
    async signIn(url, who) {
      person = who;
      const cookies = new Map<string, string>();
      for (let next = url; ; ) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const reply = await fetch(next, { redirect: "manual", headers: { cookie } });
        for (const line of reply.headers.getSetCookie()) {
          const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = reply.headers.get("location");
        if (location === null)
          throw new Error(`${next} answered ${reply.status}: ${(await reply.text()).slice(0, 500)}`);
        next = new URL(location, next).href;
        if (!next.startsWith(issuer)) return next;
      }
    },
    expect(who) {
      person = who;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
