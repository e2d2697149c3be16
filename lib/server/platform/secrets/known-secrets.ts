import type { FieldProblem } from "@/lib/schema/app-error";
import { MIN_SECRET_CHARS, SHORT_SECRET } from "@/lib/schema/new-secret";
import { type Environment, env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createSecretFinder, type SecretFinder } from "./secret-finder";

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

/** The variables of the environment whose secret is too short to be redacted, which nobody could be refused. */
export function variablesOfShortSecrets(environment: Environment): string[] {
  const short = secretVariables(environment).filter(([, secret]) => secret.length < MIN_SECRET_CHARS);
  return [...new Set(short.map(([variable]) => variable))];
}

function environmentSecrets(environment: Environment): string[] {
  return secretVariables(environment).map(([, secret]) => secret);
}

const PROVIDER_VARIABLES = {
  openai: "OPENAI",
  anthropic: "ANTHROPIC",
  google: "GOOGLE_GENERATIVE_AI",
  openaiCompatible: "OPENAI_COMPATIBLE",
  ollama: "OLLAMA",
  scripted: "RINGMASTER_SCRIPTED_MODEL",
} as const satisfies Record<keyof Environment["providers"], string>;

function secretVariables({ secrets, adminApiKey, adminPassword, databaseUrl, providers }: Environment) {
  const named: [variable: string, secret: string][] = secrets.map((secret) => ["RINGMASTER_SECRET", secret]);
  const add = (variable: string, found: readonly (string | null | undefined)[]) =>
    named.push(...found.flatMap((secret): [string, string][] => (secret ? [[variable, secret]] : [])));
  add("RINGMASTER_ADMIN_API_KEY", [adminApiKey]);
  add("RINGMASTER_ADMIN_PASSWORD", [adminPassword]);
  add("DATABASE_URL", passwordOf(databaseUrl));
  for (const [id, prefix] of Object.entries(PROVIDER_VARIABLES)) {
    const provider = providers[id as keyof typeof PROVIDER_VARIABLES];
    add(`${prefix}_API_KEY`, [provider?.apiKey]);
    add(`${prefix}_BASE_URL`, passwordOf(provider?.baseUrl ?? ""));
  }
  return named;
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

/**
 * The secrets among `given` that are too short to be redacted: each could be read in a trace or a log. `given` has the
 * shape in which they are stored, with only what was entered anew; every way in that takes more than one field asks here.
 */
export function problemsOfShortSecrets(given: unknown, path = ""): FieldProblem[] {
  if (typeof given === "string") {
    const name = path.slice(path.lastIndexOf(".") + 1);
    return SECRET_NAME.test(name) && isShort(given) ? [{ path, message: SHORT_SECRET }] : [];
  }
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).flatMap(([field, child]) =>
    problemsOfShortSecrets(child, path === "" ? field : `${path}.${field}`),
  );
}

/** `Bearer x` is as short as `x`. */
function isShort(value: string): boolean {
  return value.replace(/^(?:bearer|basic|token|digest|apikey) /i, "").trim().length < MIN_SECRET_CHARS;
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
