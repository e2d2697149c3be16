import { z } from "zod";
import { McpMount } from "@/lib/schema/tools/mcp-server";
import type { Database } from "@/lib/server/platform/db/database";
import { mcpSecretPurpose, SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";

export type McpServerRow = NonNullable<Awaited<ReturnType<Database["mcpServer"]["findUnique"]>>>;
export type McpToolRow = NonNullable<Awaited<ReturnType<Database["mcpTool"]["findFirst"]>>>;

const Texts = z.record(z.string(), z.string());
/** The client this installation uses at the server's sign-in if clients can't register themselves. */
const OAuthClient = z.object({ id: z.string(), secret: z.string().nullable() });
const McpSecrets = z.object({
  headers: Texts,
  env: Texts,
  token: z.string().nullable(),
  client: OAuthClient.nullable().default(null),
});
/** The encrypted fields: they can be written but never read through the API. */
export type McpSecrets = z.infer<typeof McpSecrets>;

export const NO_SECRETS: McpSecrets = { headers: {}, env: {}, token: null, client: null };

const McpServerInfo = z.object({
  name: z.string(),
  version: z.string(),
  protocol: z.string(),
  prompts: z.number(),
  resources: z.number(),
});
/** What a server reports about itself. */
export type McpServerInfo = z.infer<typeof McpServerInfo>;

/** Throws `SecretUnreadable`. */
export function readSecrets({ id, secretsEncrypted }: Pick<McpServerRow, "id" | "secretsEncrypted">): McpSecrets {
  if (secretsEncrypted === null) return NO_SECRETS;
  return McpSecrets.parse(JSON.parse(secretBox().decrypt(secretsEncrypted, mcpSecretPurpose(id))));
}

/** For pages: secrets that can't be decrypted any more are shown as not set. */
export function knownSecrets(row: Pick<McpServerRow, "id" | "secretsEncrypted">): McpSecrets {
  try {
    return readSecrets(row);
  } catch (error) {
    if (error instanceof SecretUnreadable) return NO_SECRETS;
    throw error;
  }
}

/** Null if there is nothing to hide. */
export function sealSecrets(id: string, secrets: McpSecrets): string | null {
  const isEmpty =
    secrets.token === null &&
    secrets.client === null &&
    [secrets.headers, secrets.env].every((all) => Object.keys(all).length === 0);
  return isEmpty ? null : secretBox().encrypt(JSON.stringify(secrets), mcpSecretPurpose(id));
}

export function readArgs({ args }: Pick<McpServerRow, "args">): string[] {
  return z.array(z.string()).parse(JSON.parse(args));
}

export function readMounts({ mounts }: Pick<McpServerRow, "mounts">): McpMount[] {
  return z.array(McpMount).parse(JSON.parse(mounts));
}

export function readServerInfo({ facts }: Pick<McpServerRow, "facts">): McpServerInfo | null {
  return facts === null ? null : McpServerInfo.parse(JSON.parse(facts));
}
