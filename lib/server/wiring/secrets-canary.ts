import { StoredSmtp } from "@/lib/schema/settings/settings";
import { StoredWebSearch } from "@/lib/schema/settings/web-search";
import { StoredOidc } from "@/lib/schema/users/oidc";
import type { Database } from "@/lib/server/platform/db/database";
import { replaceProviderKey, selectProviders } from "@/lib/server/platform/db/queries/providers/provider-rows";
import { selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import {
  MCP_SECRETS,
  replaceMcpTokens,
  replaceSecret,
  selectMcpTokens,
  selectSecrets,
  selectWebhookSecrets,
  TOOL_SECRETS,
  WEBHOOK_SECRETS,
} from "@/lib/server/platform/db/queries/tool-secrets";
import {
  isSecretUnreadable,
  mcpConnectionPurpose,
  mcpSecretPurpose,
  OIDC_PURPOSE,
  providerKeyPurpose,
  type SecretBox,
  SecretUnreadable,
  SMTP_PURPOSE,
  toolSecretPurpose,
  VAPID_PURPOSE,
  webhookSecretPurpose,
  webSearchPurpose,
} from "@/lib/server/platform/secrets/secrets";
import { sectionKey } from "@/lib/server/settings/section-key";
import { StoredVapid, VAPID_SETTING } from "@/lib/server/triggers/notify/vapid";
import { OIDC_SETTING } from "@/lib/server/users/oidc/oidc-settings";

const KEY = "secret_canary";
const TEXT = "ringmaster";

/**
 * Called once at startup: a text encrypted by the first start must still be readable; otherwise the secret was lost or
 * changed, and with it every stored key. If there is a newer secret, everything is re-encrypted, after which the older
 * one may be removed. Throws `SecretUnreadable`.
 */
export async function checkSecretCanary(database: Database, box: SecretBox): Promise<void> {
  const stored = await selectSetting(database, KEY);
  if (stored !== undefined) assertReadable(stored, box);
  if (stored !== undefined && !box.isStale(stored)) return;
  // Before the canary itself: if this start is interrupted here, the canary stays stale and the next start begins
  // again.
  await renewToolSecrets(database, box);
  await renewProviderKeys(database, box);
  await renewMcpSecrets(database, box);
  await renewMcpTokens(database, box);
  await renewSmtpPassword(database, box);
  await renewWebSearchKeys(database, box);
  await renewOidcSecret(database, box);
  await renewVapidKey(database, box);
  await renewWebhookSecrets(database, box);
  await upsertSetting(database, KEY, box.encrypt(TEXT, KEY));
}

/** A secret that no listed key can decrypt is left as it is: calls of its tool report it. */
async function renewToolSecrets(database: Database, box: SecretBox): Promise<void> {
  for (const tool of await selectSecrets(database, TOOL_SECRETS)) {
    const purpose = toolSecretPurpose(tool.key);
    const plain = readOrNull(box, tool.sealed, purpose);
    if (plain !== null) await replaceSecret(database, TOOL_SECRETS, tool, box.encrypt(plain, purpose));
  }
}

/** A key that no listed secret can decrypt is left as it is: its provider reports it. */
async function renewProviderKeys(database: Database, box: SecretBox): Promise<void> {
  for (const { id, keyEncrypted: sealed } of await selectProviders(database)) {
    if (sealed === null) continue;
    const purpose = providerKeyPurpose(id);
    const plain = readOrNull(box, sealed, purpose);
    if (plain !== null) await replaceProviderKey(database, { id, sealed }, box.encrypt(plain, purpose));
  }
}

function readOrNull(box: SecretBox, sealed: string, purpose: string): string | null {
  try {
    return box.decrypt(sealed, purpose);
  } catch (error) {
    if (isSecretUnreadable(error)) return null;
    throw error;
  }
}

/** As with providers: a server whose secrets are lost reports it when called. */
async function renewMcpSecrets(database: Database, box: SecretBox): Promise<void> {
  for (const server of await selectSecrets(database, MCP_SECRETS)) {
    const purpose = mcpSecretPurpose(server.key);
    const plain = readOrNull(box, server.sealed, purpose);
    if (plain !== null) await replaceSecret(database, MCP_SECRETS, server, box.encrypt(plain, purpose));
  }
}

/** A person whose tokens are lost has to connect again. */
async function renewMcpTokens(database: Database, box: SecretBox): Promise<void> {
  for (const connection of await selectMcpTokens(database)) {
    const purpose = mcpConnectionPurpose(connection.serverId, connection.holder);
    const plain = readOrNull(box, connection.sealed, purpose);
    if (plain !== null) await replaceMcpTokens(database, connection, box.encrypt(plain, purpose));
  }
}

/** As with providers: the sender of a mail is told. */
async function renewSmtpPassword(database: Database, box: SecretBox): Promise<void> {
  const key = sectionKey("smtp");
  const smtp = StoredSmtp.nullable().parse(JSON.parse((await selectSetting(database, key)) ?? "null"));
  const plain = smtp?.sealed ? readOrNull(box, smtp.sealed, SMTP_PURPOSE) : null;
  if (smtp && plain !== null) {
    await upsertSetting(database, key, JSON.stringify({ ...smtp, sealed: box.encrypt(plain, SMTP_PURPOSE) }));
  }
}

/** As with providers: a search reports it. */
async function renewWebSearchKeys(database: Database, box: SecretBox): Promise<void> {
  const key = sectionKey("webSearch");
  const stored = StoredWebSearch.parse(JSON.parse((await selectSetting(database, key)) ?? "{}"));
  const renewed = { ...stored };
  for (const provider of ["brave", "tavily"] as const) {
    const sealed = stored[provider]?.sealed;
    const plain = sealed === undefined ? null : readOrNull(box, sealed, webSearchPurpose(provider));
    if (plain !== null) renewed[provider] = { sealed: box.encrypt(plain, webSearchPurpose(provider)) };
  }
  if (stored.brave || stored.tavily) await upsertSetting(database, key, JSON.stringify(renewed));
}

/** As with providers: a sign-in through the identity provider fails until the secret is entered again. */
async function renewOidcSecret(database: Database, box: SecretBox): Promise<void> {
  const oidc = StoredOidc.nullable().parse(JSON.parse((await selectSetting(database, OIDC_SETTING)) ?? "null"));
  const plain = oidc && readOrNull(box, oidc.secretEncrypted, OIDC_PURPOSE);
  if (oidc && plain !== null) {
    const secretEncrypted = box.encrypt(plain, OIDC_PURPOSE);
    await upsertSetting(database, OIDC_SETTING, JSON.stringify({ ...oidc, secretEncrypted }));
  }
}

/** As with providers: a push fails until the key can be read again. */
async function renewVapidKey(database: Database, box: SecretBox): Promise<void> {
  const stored = await selectSetting(database, VAPID_SETTING);
  if (stored === undefined) return;
  const vapid = StoredVapid.parse(JSON.parse(stored));
  const plain = readOrNull(box, vapid.sealed, VAPID_PURPOSE);
  if (plain === null) return;
  await upsertSetting(database, VAPID_SETTING, JSON.stringify({ ...vapid, sealed: box.encrypt(plain, VAPID_PURPOSE) }));
}

/** As with providers: requests to the webhook are refused until it has a new secret. */
async function renewWebhookSecrets(database: Database, box: SecretBox): Promise<void> {
  for (const secret of await selectWebhookSecrets(database)) {
    const purpose = webhookSecretPurpose(secret.webhookId);
    const plain = readOrNull(box, secret.sealed, purpose);
    if (plain !== null) await replaceSecret(database, WEBHOOK_SECRETS, secret, box.encrypt(plain, purpose));
  }
}

function assertReadable(value: string, box: SecretBox): void {
  try {
    if (box.decrypt(value, KEY) === TEXT) return;
  } catch (error) {
    const message =
      "The database was encrypted with another secret. Restore the file `secret` of the data directory, or put the " +
      "earlier RINGMASTER_SECRET at the end of the list.";
    throw new SecretUnreadable(message, { cause: error });
  }
}
