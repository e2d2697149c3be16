import type { McpServer, UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";

/** Stands for a stored secret, which is never shown. */
export const KEPT = "••••••";

/** What a person types. Lists are texts with a line for each entry. */
export interface ServerForm {
  readonly id: string;
  readonly transport: McpServer["transport"];
  readonly url: string;
  readonly token: string;
  readonly hasToken: boolean;
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
    token: "",
    hasToken: server?.token != null,
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

type Settings = Omit<UpdateMcpServerBody, "revision" | "transport"> & Pick<McpServer, "transport">;

/** The form as the API takes it; an empty token field keeps the stored one. */
export function toSettings(form: ServerForm): Settings {
  const { transport, url, token, headers, command, args, env, place, mounts } = form;
  if (transport !== "stdio") {
    const bearer = token === "" ? {} : { token };
    return { transport, url: url.trim() === "" ? null : url.trim(), headers: secretsOf(headers, ":"), ...bearer };
  }
  return {
    transport,
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

/** A line without the separator is sent as it is, so that the server says what is wrong with it. */
function secretsOf(text: string, separator: ":" | "="): Record<string, string | { set: true }> {
  const entries = linesOf(text).map((line): [string, string | { set: true }] => {
    const at = line.indexOf(separator);
    if (at < 0) return [line, ""];
    const value = line.slice(at + 1).trim();
    return [line.slice(0, at).trim(), value === KEPT ? { set: true } : value];
  });
  return Object.fromEntries(entries);
}
