"use client";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { McpConnectResult } from "@/lib/schema/tools/mcp-connection";

const URL_STATE = { server: parseAsString, result: parseAsStringLiteral(McpConnectResult.options) };

const RESULT_TEXTS: Readonly<Record<McpConnectResult, (server: string) => string>> = {
  connected: (server) => `Connected to ${server}. Calls that failed without the connection can be tried again.`,
  denied: (server) => `Not connected to ${server}: the access was denied there. Connect again to allow it.`,
  failed: (server) =>
    `Not connected to ${server}: its sign-in failed. Connect again; if it fails again, tell an administrator.`,
};

/** The outcome of an MCP server's sign-in from which the browser has just returned. */
export function ConnectResult() {
  const [{ server, result }] = useQueryStates(URL_STATE);
  if (server === null || result === null) return null;
  const look = result === "connected" ? "bg-ok-soft text-ok-text" : "bg-fail-soft text-fail-text";
  return (
    <p role="status" className={`px-4 py-1.5 text-xs break-words ${look}`}>
      {RESULT_TEXTS[result](server)}
    </p>
  );
}
