import { z } from "zod";
import type { McpServer, UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";

/** Placeholder for a stored secret, which is never shown. */
export const KEPT = "••••••";

/** The form as typed. Lists are texts with one entry per line. */
export interface ServerForm {
  readonly id: string;
  readonly transport: McpServer["transport"];
  readonly url: string;
  readonly access: "none" | "bearer" | "shared" | "per_user";
  readonly token: string;
  readonly hasToken: boolean;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly hasClientSecret: boolean;
  readonly headers: string;
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly place: "sandbox" | "network" | "machine";
  readonly mounts: string;
}

export function newServerForm(server?: McpServer): ServerForm {
  return {
    id: server?.id ?? "",
    transport: server?.transport ?? "http",
    url: server?.url ?? "",
    access: accessOf(server),
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
  };
}

/** The part of an unsent form that the browser keeps: everything except possible secrets. */
export const KeptServerForm = z
  .object({
    id: z.string(),
    transport: z.enum(["http", "sse", "stdio"]),
    url: z.string(),
    access: z.enum(["none", "bearer", "shared", "per_user"]),
    clientId: z.string(),
    command: z.string(),
    args: z.string(),
    place: z.enum(["sandbox", "network", "machine"]),
    mounts: z.string(),
  })
  .partial();

function accessOf(server: McpServer | undefined): ServerForm["access"] {
  if (server?.auth === "oauth") return server.scope;
  return server?.auth ?? "none";
}

type AccessField = "auth" | "scope" | "token" | "clientId" | "clientSecret";

/** An empty token field keeps the stored one. */
function accessSettings(form: ServerForm): Pick<UpdateMcpServerBody, AccessField> {
  const { access, token, clientId, clientSecret } = form;
  if (access === "shared" || access === "per_user") {
    const client = { clientId: clientId.trim() === "" ? null : clientId.trim() };
    return { auth: "oauth", scope: access, ...client, ...(clientSecret === "" ? {} : { clientSecret }) };
  }
  return { auth: access, scope: "shared", ...(access === "bearer" && token !== "" ? { token } : {}) };
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

function linesOf(text: string): string[] {
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
