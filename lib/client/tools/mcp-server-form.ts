import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { CreateMcpServerBody, type McpServer, UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";

/** Placeholder for a stored secret, which is never shown. */
export const KEPT = "••••••";

/** The form as typed. Lists are texts with one entry per line. */
const ServerForm = z.object({
  id: z.string().trim(),
  transport: z.enum(["http", "sse", "stdio"]),
  url: z.string(),
  auth: z.enum(["none", "bearer", "shared", "per_user"]),
  token: z.string(),
  hasToken: z.boolean(),
  clientId: z.string(),
  clientSecret: z.string(),
  hasClientSecret: z.boolean(),
  headers: z.string(),
  command: z.string(),
  args: z.string(),
  env: z.string(),
  place: z.enum(["sandbox", "network", "machine"]),
  mounts: z.string(),
  /** Of the server that it changes. */
  revision: z.number().optional(),
});
export type ServerForm = z.input<typeof ServerForm>;

export const NewServer = formSchema(ServerForm, (form) => ({ id: form.id, ...toSettings(form) }), CreateMcpServerBody);
export const ChangedServer = formSchema(
  ServerForm,
  (form) => ({ ...toSettings(form), revision: form.revision }),
  UpdateMcpServerBody,
);

export function newServerForm(server?: McpServer): ServerForm {
  return {
    id: server?.id ?? "",
    transport: server?.transport ?? "http",
    url: server?.url ?? "",
    auth: authOf(server),
    token: "",
    hasToken: server?.token != null,
    clientId: server?.clientId ?? "",
    clientSecret: "",
    hasClientSecret: server?.clientSecret != null,
    headers: Object.keys(server?.headers ?? {})
      .map((name) => `${name}: ${KEPT}`)
      .join("\n"),
    command: server?.command ?? "",
    args: (server?.args ?? []).join("\n"),
    env: Object.keys(server?.env ?? {})
      .map((name) => `${name}=${KEPT}`)
      .join("\n"),
    place: server?.unsandboxed ? "machine" : server?.network ? "network" : "sandbox",
    mounts: (server?.mounts ?? []).map(({ path, readOnly }) => (readOnly ? path : `${path}:rw`)).join("\n"),
    revision: server?.revision,
  };
}

function authOf(server: McpServer | undefined): ServerForm["auth"] {
  if (server?.auth === "oauth") return server.scope;
  return server?.auth ?? "none";
}

type AccessField = "auth" | "scope" | "token" | "clientId" | "clientSecret";

/** An empty token field keeps the stored one. */
function accessSettings(form: ServerForm): Pick<UpdateMcpServerBody, AccessField> {
  const { auth, token, clientId, clientSecret } = form;
  if (auth === "shared" || auth === "per_user") {
    const client = { clientId: clientId.trim() === "" ? null : clientId.trim() };
    return { auth: "oauth", scope: auth, ...client, ...(clientSecret === "" ? {} : { clientSecret }) };
  }
  return { auth, scope: "shared", ...(auth === "bearer" && token !== "" ? { token } : {}) };
}

type Settings = Omit<UpdateMcpServerBody, "revision" | "transport"> & Pick<McpServer, "transport">;

/** The form in the API's format. */
export function toSettings(form: ServerForm): Settings {
  const { transport, url, headers, command, args, env, place, mounts } = form;
  if (transport !== "stdio") {
    const address = url.trim() === "" ? null : url.trim();
    return { transport, url: address, headers: secretsOf(headers, ":"), ...accessSettings(form) };
  }
  return {
    transport,
    auth: "none",
    scope: "shared",
    command: command.trim() === "" ? null : command.trim(),
    args: linesOf(args),
    env: secretsOf(env, "="),
    unsandboxed: place === "machine",
    network: place === "network",
    mounts: place === "machine" ? [] : linesOf(mounts).map(toMount),
  };
}

/** The lines that say something. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function toMount(line: string) {
  return line.endsWith(":rw") ? { path: line.slice(0, -3), readOnly: false } : { path: line, readOnly: true };
}

/** A line without the separator is sent unchanged, so that the server reports the problem. */
function secretsOf(text: string, separator: ":" | "="): Record<string, string | { set: true }> {
  const entries = linesOf(text).map((line): [string, string | { set: true }] => {
    const at = line.indexOf(separator);
    if (at < 0) return [line, ""];
    const value = line.slice(at + 1).trim();
    return [line.slice(0, at).trim(), value === KEPT ? { set: true } : value];
  });
  return Object.fromEntries(entries);
}
