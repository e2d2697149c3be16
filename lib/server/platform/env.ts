import { networkInterfaces } from "node:os";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { readDuration } from "@/lib/schema/settings/duration";
import { LOG_LEVELS } from "@/lib/schema/settings/settings";
import { SharedError } from "@/lib/schema/shared-error";
import { readInterval } from "@/lib/schema/triggers/interval";
import { MIN_CONNECTIONS } from "./db/connections";
import { processState } from "./process-state";
import { OTLP_VARIABLES, type OtlpSettings, otherProtocol, readOtlpSettings } from "./telemetry/otlp-settings";

const SECRET_VARIABLES = [
  "RINGMASTER_SECRET",
  "RINGMASTER_ADMIN_API_KEY",
  "RINGMASTER_ADMIN_PASSWORD",
  "RINGMASTER_METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "DATABASE_URL",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENAI_COMPATIBLE_API_KEY",
] as const;

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

const list = text.transform((value) =>
  (value ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ""),
);

/** A whole number, at least 1. */
const count = text
  .refine((value) => value === undefined || /^[1-9]\d{0,6}$/.test(value), {
    message: "must be a whole number from 1 to 9999999",
  })
  .transform((value) => (value === undefined ? undefined : Number(value)));

const httpUrl = text.refine((value) => value === undefined || isUrl(value, ["http:", "https:"]), {
  message: "must be an http:// or https:// address",
});

const variables = z.object({
  PORT: text
    .refine((value) => value === undefined || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535), {
      message: "must be a port number",
    })
    .transform((value) => (value === undefined ? undefined : Number(value))),
  HOST: text,
  RINGMASTER_DATA_DIR: text,
  DATABASE_URL: text.refine(isDatabaseUrl, { message: "must be file:<path> or postgresql://…" }),
  RINGMASTER_SECRET: list.refine((secrets) => secrets.every((secret) => secret.length >= 16), {
    message: "each secret must have at least 16 characters (make one with: openssl rand -base64 32)",
  }),
  RINGMASTER_ADMIN_API_KEY: text.refine((key) => key === undefined || key.length >= 24, {
    message: "must have at least 24 characters (make one with: openssl rand -hex 24)",
  }),
  RINGMASTER_ADMIN_EMAIL: text.pipe(z.email().optional()),
  RINGMASTER_ADMIN_PASSWORD: z
    .string()
    .optional()
    .transform((value) => (value === "" ? undefined : value))
    .refine((value) => value === undefined || value.length >= 8, { message: "must have at least 8 characters" }),
  RINGMASTER_DEFAULT_MODEL: text.refine((value) => value === undefined || /^[a-z][a-z0-9-]*:.+$/.test(value), {
    message: 'must be written as "provider:model"',
  }),
  RINGMASTER_PUBLIC_URL: httpUrl,
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: httpUrl,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: httpUrl,
  GOOGLE_GENERATIVE_AI_API_KEY: text,
  GOOGLE_GENERATIVE_AI_BASE_URL: httpUrl,
  OPENAI_COMPATIBLE_BASE_URL: httpUrl,
  OPENAI_COMPATIBLE_API_KEY: text,
  OLLAMA_BASE_URL: httpUrl,
  RINGMASTER_SCRIPTED_MODEL_URL: httpUrl,
  SEARXNG_BASE_URL: httpUrl,
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: list.refine((hosts) => hosts.every((host) => /^.+:\d{1,5}$/.test(host)), {
    message: "must be a list of host:port",
  }),
  RINGMASTER_TRUSTED_PROXIES: list.refine((entries) => entries.every(isAddressOrNetwork), {
    message: "must be a list of addresses or networks, such as 127.0.0.1, 10.0.0.0/8",
  }),
  RINGMASTER_METRICS_TOKEN: text.refine((token) => token === undefined || token.length >= 16, {
    message: "must have at least 16 characters (make one with: openssl rand -hex 24)",
  }),
  RINGMASTER_ROLE: text.pipe(z.enum(["all", "web", "worker"], { error: "must be all, web or worker" }).default("all")),
  RINGMASTER_WORKER_SLOTS: count,
  RINGMASTER_MAX_RUNS_PER_USER: count,
  RINGMASTER_MAX_QUEUED: count,
  RINGMASTER_DB_CONNECTIONS: count.refine((value) => value === undefined || value >= MIN_CONNECTIONS, {
    message: `must be at least ${MIN_CONNECTIONS}`,
  }),
  RINGMASTER_MIN_EVERY: text
    .refine((value) => value === undefined || readInterval(value) !== null, {
      message: "must be a duration such as 1m or 30s",
    })
    .transform((value) => (value === undefined ? undefined : (readInterval(value) ?? undefined))),
  RINGMASTER_RETENTION: list.transform(readRetention),
  RINGMASTER_ALLOW_UNSANDBOXED: text.transform((value) => value === "1"),
  RINGMASTER_ALLOW_STDIO_MCP: text.transform((value) => value === "1"),
  RINGMASTER_DOCKER_SOCKET: text.refine((value) => value === undefined || path.isAbsolute(value), {
    message: "must be the absolute path of the engine's unix socket",
  }),
  RINGMASTER_DOCKER_RUNTIME: text,
  ...OTLP_VARIABLES,
  RINGMASTER_TRACE_VERBOSE: text.transform((value) => value === "1" || value === "true"),
  RINGMASTER_LOG_LEVEL: text.pipe(z.enum(LOG_LEVELS).optional()),
});

export const DEFAULT_DOCKER_SOCKET = "/var/run/docker.sock";

const DAY_MS = 86_400_000;

/** How long each kind of data is kept, in ms; null for ever. */
export interface Retention {
  /** The steps of ended runs, from which a run can be replayed or continued. */
  readonly events: number | null;
  readonly traces: number | null;
  readonly audit: number | null;
  /** Threads deleted by a person, with their messages, files and traces. */
  readonly deletedThreads: number | null;
  /** Threads that nobody has used since, unless pinned; then they count as deleted by a person. */
  readonly threads: number | null;
  /** Versions of files and of memory, except the last of each. */
  readonly fileVersions: number | null;
}

const RETENTION: Retention = {
  events: DAY_MS,
  traces: 90 * DAY_MS,
  audit: 365 * DAY_MS,
  deletedThreads: 30 * DAY_MS,
  threads: null,
  fileVersions: null,
};

function readRetention(entries: readonly string[], context: z.RefinementCtx): Partial<Retention> {
  const chosen = entries.map((entry) => {
    const [, kind = "", duration = ""] = /^(\w+)\s*=\s*(\w+)$/.exec(entry) ?? [];
    const durationMs = readDuration(duration);
    if (Object.hasOwn(RETENTION, kind) && durationMs !== undefined) return [kind, durationMs] as const;
    const kinds = Object.keys(RETENTION).join(", ");
    context.addIssue(`must be a list such as traces=30d, audit=never (kinds: ${kinds}; units: h, d, w, y)`);
    return z.NEVER;
  });
  return Object.fromEntries(chosen);
}

/** A provider enabled by an environment variable; `baseUrl` null means the provider's own address. */
interface ProviderVariables {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** Everything that the process reads from its environment (README.md, Settings). Frozen. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  /** Absolute path of RINGMASTER_DATA_DIR. */
  readonly dataDirectory: string;
  /** `file:<absolute path>` or `postgresql://…`. */
  readonly databaseUrl: string;
  /** RINGMASTER_SECRET, newest first; empty if the data directory's own secret is to be used (`secrets.ts`). */
  readonly secrets: readonly string[];
  readonly adminApiKey: string | null;
  readonly adminEmail: string | null;
  readonly adminPassword: string | null;
  readonly defaultModel: string | null;
  /** Origin without a trailing slash. */
  readonly publicUrl: string;
  /** Null for a provider whose variable is not set. */
  readonly providers: {
    readonly openai: ProviderVariables | null;
    readonly anthropic: ProviderVariables | null;
    readonly google: ProviderVariables | null;
    readonly openaiCompatible: ProviderVariables | null;
    readonly ollama: ProviderVariables | null;
    /** Test only: provider `scripted` at this address. */
    readonly scripted: ProviderVariables | null;
  };
  /** SEARXNG_BASE_URL: the server that `web_search` queries; null if the settings decide. */
  readonly searxngBaseUrl: string | null;
  /** `host:port` entries that outgoing requests may reach although they are private. */
  readonly allowedPrivateHosts: readonly string[];
  /** Addresses and networks of reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** With which `/metrics` is read from another machine; null: only from this one. */
  readonly metricsToken: string | null;
  /** `web` serves but executes nothing, `worker` the reverse; only on Postgres. */
  readonly role: "all" | "web" | "worker";
  /** How many runs this process executes at once. */
  readonly workerSlots: number;
  /** How many runs of one user all processes together execute at once; waiting runs do not count. */
  readonly maxRunsPerUser: number;
  /** Once this many runs are queued, no more are accepted. */
  readonly maxQueued: number;
  /** How many connections to Postgres this process may open; null for the default of its role. */
  readonly databaseConnections: number | null;
  /** The minimum interval between two due times of a schedule. */
  readonly minEveryMs: number;
  /** The defaults overridden by RINGMASTER_RETENTION. */
  readonly retention: Retention;
  /** The kinds set in RINGMASTER_RETENTION: the settings page can't change them. */
  readonly fixedRetention: readonly (keyof Retention)[];
  /** RINGMASTER_ALLOW_UNSANDBOXED=1: commands may run without a sandbox, for an installation with one user. */
  readonly allowUnsandboxed: boolean;
  /** RINGMASTER_ALLOW_STDIO_MCP=1: administrators may have programs started as MCP servers. */
  readonly allowStdioMcp: boolean;
  /** The unix socket of the Docker engine for agents with the sandbox docker. */
  readonly dockerSocket: string;
  /** The engine's name of a runtime for containers, such as `runsc` for gVisor; null for its default. */
  readonly dockerRuntime: string | null;
  /** Where finished traces are sent; null for nowhere. */
  readonly otlp: OtlpSettings | null;
  readonly traceVerbose: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Whether RINGMASTER_LOG_LEVEL is set: the settings page can't change it then. */
  readonly isLogLevelFixed: boolean;
}

/** The environment contains something that the server can't start with; `message` names the variable and the remedy. */
export class EnvironmentError extends SharedError {
  static override readonly kind = "EnvironmentError";
}

/**
 * The process environment, parsed once. Secrets are deleted from `process.env` when read, so that neither a child
 * process nor a dump of the environment shows them. Throws `EnvironmentError`.
 */
export function env(): Environment {
  return processState("environment", () => {
    const environment = parseEnvironment(process.env, process.cwd(), networkInterfaces());
    dropSecrets();
    return environment;
  });
}

/** Deletes secrets from `process.env`; `env()` still has them. */
export function dropSecrets(): void {
  for (const name of SECRET_VARIABLES) delete process.env[name];
}

/**
 * `source` as an Environment; relative paths start at `directory`, and a server that listens everywhere is identified
 * by one of the addresses in `networks`. Pure. Throws `EnvironmentError`.
 */
export function parseEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  directory: string,
  networks: ReturnType<typeof networkInterfaces> = {},
): Environment {
  const parsed = variables.safeParse(source);
  if (!parsed.success) throw new EnvironmentError(describeProblems(parsed.error));
  const values = parsed.data;
  const protocol = otherProtocol(values);
  if (protocol !== null) throw new EnvironmentError(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: ${NEEDS_PROTOBUF}`);
  const port = values.PORT ?? 3000;
  const host = values.HOST ?? "127.0.0.1";
  const dataDirectory = path.resolve(directory, values.RINGMASTER_DATA_DIR ?? "data");
  const databaseUrl = resolveDatabaseUrl(values.DATABASE_URL, directory, dataDirectory);
  if (values.RINGMASTER_ROLE !== "all" && databaseUrl.startsWith("file:")) throw new EnvironmentError(NEEDS_POSTGRES);
  return deepFreeze({
    port,
    host,
    dataDirectory,
    databaseUrl,
    secrets: values.RINGMASTER_SECRET,
    adminApiKey: values.RINGMASTER_ADMIN_API_KEY ?? null,
    adminEmail: values.RINGMASTER_ADMIN_EMAIL ?? null,
    adminPassword: values.RINGMASTER_ADMIN_PASSWORD ?? null,
    defaultModel: values.RINGMASTER_DEFAULT_MODEL ?? null,
    publicUrl: new URL(values.RINGMASTER_PUBLIC_URL ?? `http://${urlHost(host, networks)}:${port}`).origin,
    providers: readProviders(values),
    searxngBaseUrl: values.SEARXNG_BASE_URL ?? null,
    allowedPrivateHosts: values.RINGMASTER_ALLOWED_PRIVATE_HOSTS,
    trustedProxies: values.RINGMASTER_TRUSTED_PROXIES,
    metricsToken: values.RINGMASTER_METRICS_TOKEN ?? null,
    role: values.RINGMASTER_ROLE,
    ...readLimits(values),
    retention: { ...RETENTION, ...values.RINGMASTER_RETENTION },
    fixedRetention: Object.keys(values.RINGMASTER_RETENTION) as (keyof Retention)[],
    allowUnsandboxed: values.RINGMASTER_ALLOW_UNSANDBOXED,
    allowStdioMcp: values.RINGMASTER_ALLOW_STDIO_MCP,
    dockerSocket: values.RINGMASTER_DOCKER_SOCKET ?? DEFAULT_DOCKER_SOCKET,
    dockerRuntime: values.RINGMASTER_DOCKER_RUNTIME ?? null,
    otlp: readOtlpSettings(values),
    traceVerbose: values.RINGMASTER_TRACE_VERBOSE,
    logLevel: values.RINGMASTER_LOG_LEVEL ?? "info",
    isLogLevelFixed: values.RINGMASTER_LOG_LEVEL !== undefined,
  });
}

const NEEDS_POSTGRES =
  "RINGMASTER_ROLE other than all needs Postgres, which processes can share: set DATABASE_URL to postgresql://…, or leave RINGMASTER_ROLE out.";

const NEEDS_PROTOBUF =
  "traces are sent by http/protobuf, which collectors take at port 4318. Set it to that, or leave it out.";

type Limits = "workerSlots" | "maxRunsPerUser" | "maxQueued" | "databaseConnections" | "minEveryMs";

function readLimits(values: z.infer<typeof variables>): Pick<Environment, Limits> {
  return {
    workerSlots: values.RINGMASTER_WORKER_SLOTS ?? 128,
    maxRunsPerUser: values.RINGMASTER_MAX_RUNS_PER_USER ?? 20,
    maxQueued: values.RINGMASTER_MAX_QUEUED ?? 10_000,
    databaseConnections: values.RINGMASTER_DB_CONNECTIONS ?? null,
    minEveryMs: values.RINGMASTER_MIN_EVERY ?? 60_000,
  };
}

function readProviders(values: z.infer<typeof variables>): Environment["providers"] {
  return {
    openai: withKey(values.OPENAI_API_KEY, values.OPENAI_BASE_URL),
    anthropic: withKey(values.ANTHROPIC_API_KEY, values.ANTHROPIC_BASE_URL),
    google: withKey(values.GOOGLE_GENERATIVE_AI_API_KEY, values.GOOGLE_GENERATIVE_AI_BASE_URL),
    openaiCompatible: withUrl(values.OPENAI_COMPATIBLE_BASE_URL, values.OPENAI_COMPATIBLE_API_KEY),
    ollama: withUrl(values.OLLAMA_BASE_URL, undefined),
    scripted: withUrl(values.RINGMASTER_SCRIPTED_MODEL_URL, undefined),
  };
}

function withKey(apiKey: string | undefined, baseUrl: string | undefined): ProviderVariables | null {
  return apiKey === undefined ? null : { apiKey, baseUrl: baseUrl ?? null };
}

function withUrl(baseUrl: string | undefined, apiKey: string | undefined): ProviderVariables | null {
  return baseUrl === undefined ? null : { apiKey: apiKey ?? null, baseUrl };
}

function resolveDatabaseUrl(url: string | undefined, directory: string, dataDirectory: string): string {
  if (url === undefined) return `file:${path.join(dataDirectory, "ringmaster.db")}`;
  if (!url.startsWith("file:")) return url;
  return `file:${path.resolve(directory, url.slice("file:".length))}`;
}

function isDatabaseUrl(url: string | undefined): boolean {
  return url === undefined || /^file:./.test(url) || isUrl(url, ["postgresql:", "postgres:"]);
}

function isAddressOrNetwork(entry: string): boolean {
  return entry.includes("/") ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry);
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

function urlHost(host: string, networks: ReturnType<typeof networkInterfaces>): string {
  if (host === "0.0.0.0" || host === "::") return outerAddress(networks) ?? "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** The name by which other machines on the network reach this one. */
function outerAddress(networks: ReturnType<typeof networkInterfaces>): string | undefined {
  const addresses = Object.values(networks).flatMap((found) => found ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}

/** Names variables, never their values. */
function describeProblems(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`).join(" ");
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (child !== null && typeof child === "object") deepFreeze(child);
  return Object.freeze(value);
}
