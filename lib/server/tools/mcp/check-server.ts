import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import type { UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";
import { env } from "@/lib/server/platform/env";
import { checkDestination, OutgoingRequestRefused } from "@/lib/server/platform/safe-fetch";
import { problemsOfShortSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { problemsOfKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import { downloads, resolveCommand } from "./resolve-command";
import {
  knownSecrets,
  type McpSecrets,
  type McpServerRow,
  NO_SECRETS,
  readArgs,
  readMounts,
  sealSecrets,
} from "./server-row";

type ServerSettings = Omit<UpdateMcpServerBody, "revision" | "transport"> & {
  readonly transport: "http" | "sse" | "stdio";
};
export type McpServerColumns = Awaited<ReturnType<typeof checkServer>>;

/**
 * The columns that result from applying the given settings to the previous ones. Throws `invalid_input` with every
 * problem.
 */
export async function checkServer(id: string, given: ServerSettings, before: McpServerRow | null) {
  const settings = withDefaults(given, before);
  const secrets = mergeSecrets(given, before ? knownSecrets(before) : NO_SECRETS);
  const auth = chosenAuth(given, before);
  const scope = given.scope ?? (before?.scope === "per_user" ? "per_user" : "shared");
  const isProgram = settings.transport === "stdio";
  const problems = isProgram ? problemsOfProgram(settings) : await problemsOfAddress(settings.url);
  if (auth === "bearer" && secrets.token === null) problems.push({ path: "token", message: "Bearer needs a token." });
  problems.push(...problemsOfOAuth(auth, given.scope, isProgram), ...problemsOfClient(given, secrets));
  problems.push(...problemsOfShortSecrets({ ...given, token: auth === "bearer" ? given.token : null }));
  if (before !== null && !isProgram) problems.push(...problemsOfKept(given, before, { url: settings.url, auth }));
  refuseFields(problems);
  const address = isProgram ? { url: null } : { command: null };
  return {
    ...settings,
    ...address,
    args: JSON.stringify(settings.args),
    mounts: JSON.stringify(settings.mounts),
    auth,
    scope: auth === "oauth" ? scope : "shared",
    secretsEncrypted: sealSecrets(id, {
      ...secrets,
      token: auth === "bearer" ? secrets.token : null,
      client: auth === "oauth" ? secrets.client : null,
    }),
  };
}

function problemsOfOAuth(auth: string, scope: ServerSettings["scope"], isProgram: boolean): FieldProblem[] {
  if (auth === "oauth") return isProgram ? [{ path: "auth", message: "OAuth is for servers over http or sse." }] : [];
  if (scope !== "per_user") return [];
  return [{ path: "scope", message: "Connections of each person need OAuth. Set auth to oauth." }];
}

function problemsOfClient({ clientSecret }: ServerSettings, { client }: McpSecrets): FieldProblem[] {
  if (typeof clientSecret !== "string" || client !== null) return [];
  return [{ path: "clientId", message: "A client secret goes with the id of its client." }];
}

function chosenAuth({ auth, token }: ServerSettings, before: McpServerRow | null): "none" | "bearer" | "oauth" {
  if (auth !== undefined) return auth;
  if (before?.auth === "oauth" && !token) return "oauth";
  return token || before?.auth === "bearer" ? "bearer" : "none";
}

const NEW = { url: null, command: null, unsandboxed: false, network: false, enabled: true } as const;

function withDefaults(given: ServerSettings, before: McpServerRow | null) {
  const { url, command, unsandboxed, network, enabled } = before ?? NEW;
  return {
    transport: given.transport,
    url: given.url === undefined ? url : given.url,
    command: given.command === undefined ? command : given.command,
    args: given.args ?? (before ? readArgs(before) : []),
    mounts: given.mounts ?? (before ? readMounts(before) : []),
    unsandboxed: given.unsandboxed ?? unsandboxed,
    network: given.network ?? network,
    enabled: given.enabled ?? enabled,
  };
}

/** `{set: true}` keeps the stored value; a name that is no longer given is removed. */
function mergeSecrets(settings: ServerSettings, before: McpSecrets): McpSecrets {
  const { headers, env: variables, token } = settings;
  const merge = (given: ServerSettings["headers"], kept: Readonly<Record<string, string>>) => {
    if (given === undefined) return { ...kept };
    const entries = Object.entries(given).map(([name, value]) => [
      name,
      typeof value === "string" ? value : kept[name],
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>;
  };
  return {
    headers: merge(headers, before.headers),
    env: merge(variables, before.env),
    token: secretOf(token, before.token),
    client: clientOf(settings, before.client),
  };
}

function problemsOfKept(
  given: ServerSettings,
  before: McpServerRow,
  { url, auth }: { readonly url: string | null; readonly auth: string },
): FieldProblem[] {
  const kept = keptSecrets(given, knownSecrets(before), auth);
  return problemsOfKeptSecrets(kept.map((path) => ({ path, isKept: true, from: before.url, to: url })));
}

/** The fields of stored secrets that stay and would be sent to the server's address. */
function keptSecrets(given: ServerSettings, stored: McpSecrets, auth: string): string[] {
  const headers = Object.keys(stored.headers).filter(
    (name) => given.headers === undefined || typeof given.headers[name] === "object",
  );
  const isKept = (value: ServerSettings["token"]) =>
    value === undefined || (value !== null && typeof value === "object");
  return [
    ...headers.map((name) => (given.headers === undefined ? "headers" : `headers.${name}`)),
    ...(auth === "bearer" && stored.token !== null && isKept(given.token) ? ["token"] : []),
    ...(auth === "oauth" && stored.client?.secret && given.clientId !== null && isKept(given.clientSecret)
      ? ["clientSecret"]
      : []),
  ];
}

function secretOf(given: ServerSettings["token"], kept: string | null): string | null {
  return given === undefined || (given !== null && typeof given === "object") ? kept : given;
}

function clientOf({ clientId, clientSecret }: ServerSettings, before: McpSecrets["client"]): McpSecrets["client"] {
  const id = clientId === undefined ? (before?.id ?? null) : clientId;
  return id === null ? null : { id, secret: secretOf(clientSecret, before?.secret ?? null) };
}

async function problemsOfAddress(url: string | null): Promise<FieldProblem[]> {
  if (url === null) return [{ path: "url", message: "An MCP server over http or sse needs its address." }];
  try {
    await checkDestination(url, { allowedPrivateHosts: env().allowedPrivateHosts });
    return [];
  } catch (error) {
    if (error instanceof OutgoingRequestRefused) return [{ path: "url", message: error.message }];
    throw error;
  }
}

interface Program {
  readonly command: string | null;
  readonly args: readonly string[];
  readonly mounts: readonly { readonly path: string; readonly readOnly: boolean }[];
}

function problemsOfProgram({ command, args, mounts }: Program): FieldProblem[] {
  if (!env().allowStdioMcp) {
    const message =
      "Programs as MCP servers are off. Whoever runs this installation can allow them with RINGMASTER_ALLOW_STDIO_MCP=1.";
    return [{ path: "transport", message }];
  }
  if (command === null) return [{ path: "command", message: "An MCP server over stdio needs its program." }];
  const problems: FieldProblem[] = [];
  if (downloads(command, args)) {
    const message = "This would download the server at each start. Install it, and name its own program.";
    problems.push({ path: "command", message });
  } else if (resolveCommand(command) === null) {
    const message = "This program is not installed on the server's machine. Install it, or give its absolute path.";
    problems.push({ path: "command", message });
  }
  for (const [index, mount] of mounts.entries()) {
    const message = problemOfMount(mount.path);
    if (message) problems.push({ path: `mounts.${index}.path`, message });
  }
  return problems;
}

function problemOfMount(mount: string): string | null {
  if (!existsSync(mount)) return "There is nothing at this path on the server's machine.";
  const real = realpathSync(mount);
  const { dataDirectory } = env();
  const isInside = (inner: string, outer: string) => !path.relative(outer, inner).startsWith("..");
  if (isInside(dataDirectory, real) || isInside(real, dataDirectory)) {
    return "This would show the program the data folder of this installation. Name another folder.";
  }
  return null;
}
