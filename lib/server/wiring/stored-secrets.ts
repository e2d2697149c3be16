import { StoredSmtp } from "@/lib/schema/settings/settings";
import { StoredWebSearch } from "@/lib/schema/settings/web-search";
import { StoredOidc } from "@/lib/schema/users/oidc";
import type { Database } from "@/lib/server/platform/db/database";
import { replaceProviderKey, selectProviders } from "@/lib/server/platform/db/queries/providers/provider-rows";
import { selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import {
  CHANNEL_SECRETS,
  MCP_SECRETS,
  replaceMcpTokens,
  replaceSecret,
  type SecretColumn,
  selectMcpTokens,
  selectSecrets,
  selectWebhookSecrets,
  TOOL_SECRETS,
  WEBHOOK_SECRETS,
} from "@/lib/server/platform/db/queries/tool-secrets";
import {
  channelSecretPurpose,
  mcpConnectionPurpose,
  mcpSecretPurpose,
  OIDC_PURPOSE,
  providerKeyPurpose,
  SMTP_PURPOSE,
  toolSecretPurpose,
  VAPID_PURPOSE,
  webhookSecretPurpose,
  webSearchPurpose,
} from "@/lib/server/platform/secrets/secrets";
import { sectionKey } from "@/lib/server/settings/section-key";
import { StoredVapid, VAPID_SETTING } from "@/lib/server/triggers/notify/vapid";
import { OIDC_SETTING } from "@/lib/server/users/oidc/oidc-settings";

/** A secret in the database. `replace` does nothing if it has changed since it was read. */
export interface StoredSecret {
  readonly sealed: string;
  readonly purpose: string;
  replace(sealed: string): Promise<void>;
}

/** Every secret that the database holds, of whatever kind. */
export async function* storedSecrets(database: Database): AsyncGenerator<StoredSecret> {
  yield* inColumn(database, TOOL_SECRETS, toolSecretPurpose);
  yield* providerKeys(database);
  yield* inColumn(database, MCP_SECRETS, mcpSecretPurpose);
  yield* mcpTokens(database);
  yield* inColumn(database, CHANNEL_SECRETS, channelSecretPurpose);
  yield* webhookSecrets(database);
  yield* inSettings(database);
}

async function* inColumn(
  database: Database,
  column: SecretColumn,
  purposeOf: (key: string) => string,
): AsyncGenerator<StoredSecret> {
  for (const secret of await selectSecrets(database, column)) {
    const replace = (sealed: string) => replaceSecret(database, column, secret, sealed);
    yield { sealed: secret.sealed, purpose: purposeOf(secret.key), replace };
  }
}

async function* providerKeys(database: Database): AsyncGenerator<StoredSecret> {
  for (const { id, keyEncrypted: sealed } of await selectProviders(database)) {
    if (sealed === null) continue;
    const replace = (renewed: string) => replaceProviderKey(database, { id, sealed }, renewed);
    yield { sealed, purpose: providerKeyPurpose(id), replace };
  }
}

async function* mcpTokens(database: Database): AsyncGenerator<StoredSecret> {
  for (const connection of await selectMcpTokens(database)) {
    const { sealed, serverId, holder } = connection;
    const replace = (renewed: string) => replaceMcpTokens(database, connection, renewed);
    yield { sealed, purpose: mcpConnectionPurpose(serverId, holder), replace };
  }
}

async function* webhookSecrets(database: Database): AsyncGenerator<StoredSecret> {
  for (const secret of await selectWebhookSecrets(database)) {
    const replace = (renewed: string) => replaceSecret(database, WEBHOOK_SECRETS, secret, renewed);
    yield { sealed: secret.sealed, purpose: webhookSecretPurpose(secret.webhookId), replace };
  }
}

async function* inSettings(database: Database): AsyncGenerator<StoredSecret> {
  const read = async (key: string) => JSON.parse((await selectSetting(database, key)) ?? "null") as unknown;
  const write = (key: string, value: unknown) => upsertSetting(database, key, JSON.stringify(value));
  const smtpKey = sectionKey("smtp");
  const smtp = StoredSmtp.nullable().parse(await read(smtpKey));
  if (smtp?.sealed) {
    const replace = (sealed: string) => write(smtpKey, { ...smtp, sealed });
    yield { sealed: smtp.sealed, purpose: SMTP_PURPOSE, replace };
  }
  const searchKey = sectionKey("webSearch");
  for (const provider of ["brave", "tavily"] as const) {
    const search = StoredWebSearch.parse((await read(searchKey)) ?? {});
    const sealed = search[provider]?.sealed;
    if (sealed === undefined) continue;
    const replace = (renewed: string) => write(searchKey, { ...search, [provider]: { sealed: renewed } });
    yield { sealed, purpose: webSearchPurpose(provider), replace };
  }
  const oidc = StoredOidc.nullable().parse(await read(OIDC_SETTING));
  if (oidc) {
    const replace = (secretEncrypted: string) => write(OIDC_SETTING, { ...oidc, secretEncrypted });
    yield { sealed: oidc.secretEncrypted, purpose: OIDC_PURPOSE, replace };
  }
  const vapid = StoredVapid.nullable().parse(await read(VAPID_SETTING));
  if (vapid) {
    const replace = (sealed: string) => write(VAPID_SETTING, { ...vapid, sealed });
    yield { sealed: vapid.sealed, purpose: VAPID_PURPOSE, replace };
  }
}
