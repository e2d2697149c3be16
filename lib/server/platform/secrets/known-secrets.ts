import { type Environment, env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createSecretFinder, type SecretFinder } from "./secret-finder";
import { MIN_SECRET_CHARS } from "./secret-forms";

/** The oldest are forgotten first; reading one again makes it the newest. */
const MAX_KNOWN = 2_000;

interface Known {
  /** Until then its environment was not read, and reading it would be a surprise. */
  isOpen: boolean;
  readonly secrets: Set<string>;
  finder: SecretFinder | null;
}

function state(): Known {
  return processState("known-secrets", () => ({ isOpen: false, secrets: new Set<string>(), finder: null }));
}

/**
 * From now on these are redacted wherever text enters a run, and in logs and traces. A sealed value may also be JSON
 * that contains secrets beside other fields.
 */
export function rememberSecrets(plains: readonly string[]): void {
  const known = state();
  known.isOpen = true;
  for (const secret of plains.flatMap(secretsIn)) {
    const isNew = !known.secrets.delete(secret);
    known.secrets.add(secret);
    if (isNew) known.finder = null;
  }
  for (const oldest of known.secrets) {
    if (known.secrets.size <= MAX_KNOWN) break;
    known.secrets.delete(oldest);
  }
}

/** Finds what this process has read or stored, and what its environment holds. */
export function knownSecrets(): SecretFinder {
  const known = state();
  known.isOpen = true;
  known.finder ??= createSecretFinder([...environmentSecrets(env()), ...known.secrets]);
  return known.finder;
}

/** Replaces every known secret by `[redacted]`. JSON stays valid JSON. */
export function redactSecrets(text: string): string {
  return knownSecrets().redact(text);
}

/** The same for logs, which a process also writes before it has any secret, or without a configuration. */
export function redactOpenSecrets(text: string): string {
  return state().isOpen ? redactSecrets(text) : text;
}

function environmentSecrets({ secrets, adminApiKey, adminPassword, databaseUrl, providers }: Environment): string[] {
  const all = Object.values(providers);
  return [
    ...secrets,
    ...[adminApiKey, adminPassword, ...all.map((provider) => provider?.apiKey)].filter(
      (key) => typeof key === "string",
    ),
    ...[databaseUrl, ...all.map((provider) => provider?.baseUrl)].flatMap((url) => passwordOf(url ?? "")),
  ];
}

function passwordOf(address: string): string[] {
  const password = URL.canParse(address) ? new URL(address).password : "";
  return password === "" ? [] : [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function secretsIn(plain: string): string[] {
  if (!plain.startsWith("{")) return [plain];
  try {
    return secretFields("", JSON.parse(plain));
  } catch {
    return [plain];
  }
}

/** Fields that hold a secret, by the end of their name: `signingSecret`, `access_token`. */
const SECRET_NAME =
  /(?:authorization|cookie|credentials?|jwt|key|pass|passphrase|password|pat|secret|token|verifier)$/i;
/** Groups whose fields an administrator names: each may be a secret. */
const FREE_GROUPS: ReadonlySet<string> = new Set(["headers", "env"]);

function secretFields(name: string, value: unknown, isFree = false): string[] {
  if (typeof value === "string") return SECRET_NAME.test(name) || (isFree && looksSecret(value)) ? spokenIn(value) : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, child]) => secretFields(field, child, FREE_GROUPS.has(name)));
}

/** One word of letters and digits, unlike `application/json` or a path. */
function looksSecret(value: string): boolean {
  return /^[^\s/]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** The value, and what follows its scheme: `Bearer x` is redacted as `x`, too. */
function spokenIn(value: string): string[] {
  const words = value.split(/[\s;,]+/).filter((word) => word.length >= MIN_SECRET_CHARS);
  return [...new Set([value, ...words])];
}
