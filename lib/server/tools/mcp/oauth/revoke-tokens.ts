import "server-only";
import { z } from "zod";
import { env } from "@/lib/server/platform/env";
import { createGuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { logger } from "@/lib/server/platform/logger";
import { oauthFetch } from "./authorized-fetch";
import type { ConnectionSecrets } from "./connection-row";

const Revocation = z.object({ revocation_endpoint: z.url() });

/**
 * Asks the sign-in of a server to revoke the tokens (RFC 7009), if it supports that. They are already deleted here, so
 * errors are only logged.
 */
export async function revokeTokens(serverId: string, { authority, tokens }: ConnectionSecrets): Promise<void> {
  const known = Revocation.safeParse(authority.metadata);
  if (!known.success) return;
  const guarded = createGuardedFetch({ allowedPrivateHosts: env().allowedPrivateHosts });
  const { client_id: id, client_secret: secret } = authority.client;
  const client = { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
  const send = oauthFetch(guarded.fetch);
  const { refresh_token: refreshToken, access_token: accessToken } = tokens;
  try {
    for (const token of refreshToken === undefined ? [accessToken] : [refreshToken, accessToken]) {
      const body = new URLSearchParams({ token, ...client });
      const reply = await send(known.data.revocation_endpoint, { method: "POST", body });
      if (!reply.ok) throw new Error(`It answered ${reply.status}.`);
    }
  } catch (error) {
    logger().warn({ serverId, err: error }, "an MCP server did not revoke tokens");
  } finally {
    await guarded.close();
  }
}
