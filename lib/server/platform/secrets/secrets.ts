import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SharedError } from "@/lib/schema/shared-error";
import { makeDataDirectory } from "@/lib/server/platform/data-directory";
import { type Environment, env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { rememberSecrets } from "./known-secrets";

const FORMAT = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A stored secret can't be read: it was changed, or encrypted with a RINGMASTER_SECRET that is no longer listed. */
export class SecretUnreadable extends SharedError {
  static override readonly kind = "SecretUnreadable";
}

/** Encrypts what the database may only store encrypted (provider keys, signing secrets of HTTP tools). */
export interface SecretBox {
  /** AES-256-GCM under the newest secret: `v1.<key id>.<base64url of iv, tag, text>`. `purpose` must be given again to decrypt. */
  encrypt(plain: string, purpose: string): string;
  /** Reads what any listed secret encrypted for the same `purpose`. Throws `SecretUnreadable`. */
  decrypt(stored: string, purpose: string): string;
  /** Whether `stored` was encrypted with an older secret than the newest and should be encrypted again. */
  isStale(stored: string): boolean;
  /** HMAC-SHA256 (hex) under the newest secret. */
  sign(text: string, purpose: string): Signature;
  /** Whether a listed secret signed this text for the same `purpose`. Throws `SecretUnreadable` for an unlisted one. */
  isSigned(text: string, purpose: string, signature: Signature): boolean;
  /** 32 bytes (as hex) derived from the newest secret, for signing; another `purpose` gives unrelated bytes. */
  deriveKey(purpose: string): string;
}

interface Signature {
  readonly keyId: string;
  readonly hex: string;
}

/**
 * The process's box over RINGMASTER_SECRET, or otherwise the data directory's own secret, created on first use (mode
 * 0600).
 */
export function secretBox(): SecretBox {
  return processState("secret-box", () => {
    const secrets = loadSecrets(env());
    rememberSecrets(secrets);
    return rememberingBox(createSecretBox(secrets));
  });
}

/** What this process encrypts or decrypts is redacted from now on. */
function rememberingBox(box: SecretBox): SecretBox {
  return {
    ...box,
    encrypt(plain, purpose) {
      rememberSecrets([plain]);
      return box.encrypt(plain, purpose);
    },
    decrypt(stored, purpose) {
      const plain = box.decrypt(stored, purpose);
      rememberSecrets([plain]);
      return plain;
    },
  };
}

/** Newest first, never empty. Reads or creates `<data directory>/secret` if the environment names none. */
export function loadSecrets(environment: Pick<Environment, "secrets" | "dataDirectory">): readonly string[] {
  if (environment.secrets.length > 0) return environment.secrets;
  makeDataDirectory(environment.dataDirectory);
  const file = path.join(environment.dataDirectory, "secret");
  try {
    // wx: if two processes start at once, one creates it and both read it.
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < 16) throw new SecretUnreadable(`${file} is empty or cut short. Restore it from a backup.`);
  processState("generated-secrets", () => new Map<string, string>()).set(file, secret);
  return [secret];
}

/**
 * The data directory's own secret as this process read it, in case its file was deleted since; null if there is none.
 */
export function generatedSecret(): { readonly file: string; readonly secret: string } | null {
  const [known] = processState("generated-secrets", () => new Map<string, string>());
  return known === undefined ? null : { file: known[0], secret: known[1] };
}

/** The encryption purpose of an HTTP tool's signing secret. */
export function toolSecretPurpose(name: string): string {
  return `http-tool:${name}`;
}

/** The encryption purpose of an MCP server's headers, variables and token. */
export function mcpSecretPurpose(id: string): string {
  return `mcp-server:${id}`;
}

/** The encryption purpose of the tokens of a connection to an MCP server. */
export function mcpConnectionPurpose(serverId: string, holder: string): string {
  return `mcp-connection:${serverId}:${holder}`;
}

/** The encryption purpose of an unfinished sign-in to an MCP server. */
export function mcpAuthorizationPurpose(stateHash: string): string {
  return `mcp-authorization:${stateHash}`;
}

/** The encryption purpose of a webhook's secret. */
export function webhookSecretPurpose(id: string): string {
  return `webhook:${id}`;
}

/** The encryption purpose of a channel's credentials. */
export function channelSecretPurpose(id: string): string {
  return `channel:${id}`;
}

/** The encryption purpose of a provider's key. */
export function providerKeyPurpose(id: string): string {
  return `provider:${id}`;
}

/** The encryption purpose of the mail server's password. */
export const SMTP_PURPOSE = "smtp";

/** The encryption purpose of the private key of web push. */
export const VAPID_PURPOSE = "vapid";

/** The encryption purpose of a web search key. */
export const webSearchPurpose = (provider: "brave" | "tavily") => `web-search:${provider}`;

/** The encryption purpose of the client secret at the identity provider. */
export const OIDC_PURPOSE = "oidc";

/** Which secret a stored text was encrypted with. */
export function keyIdOf(stored: string): string {
  return stored.split(".")[1] ?? "";
}

/** A box over `secrets`, newest first. */
export function createSecretBox(secrets: readonly string[]): SecretBox {
  const keys = secrets.map((secret) => ({ id: keyId(secret), key: derive(secret, "encryption") }));
  const newest = keys[0];
  const newestSecret = secrets[0];
  if (newest === undefined || newestSecret === undefined) throw new Error("a secret box needs at least one secret");
  return {
    encrypt(plain, purpose) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", newest.key, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${FORMAT}.${newest.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    decrypt(stored, purpose) {
      const [format, id, payload] = stored.split(".");
      const key = keys.find((candidate) => candidate.id === id)?.key;
      if (format !== FORMAT || payload === undefined) throw new SecretUnreadable("Not an encrypted secret.");
      if (key === undefined)
        throw new SecretUnreadable(`Encrypted with a secret (${id}) that is not in RINGMASTER_SECRET.`);
      return open(Buffer.from(payload, "base64url"), key, purpose);
    },
    isStale: (stored) => stored.split(".")[1] !== newest.id,
    sign: (text, purpose) => ({ keyId: newest.id, hex: hmac(text, derive(newestSecret, purpose)) }),
    isSigned(text, purpose, { keyId: id, hex }) {
      const secret = secrets[keys.findIndex((candidate) => candidate.id === id)];
      if (secret === undefined)
        throw new SecretUnreadable(`Signed with a secret (${id}) that is not in RINGMASTER_SECRET.`);
      return hmac(text, derive(secret, purpose)) === hex;
    },
    deriveKey: (purpose) => derive(newestSecret, purpose).toString("hex"),
  };
}

function open(sealed: Buffer, key: Buffer, purpose: string): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new SecretUnreadable("The stored secret was changed or belongs to something else.", { cause: error });
  }
}

function hmac(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "ringmaster", purpose, 32));
}

function keyId(secret: string): string {
  return createHash("sha256").update("ringmaster key id\0").update(secret).digest("hex").slice(0, 12);
}
