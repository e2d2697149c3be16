import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import {
  ConnectMcpServerReply,
  type ConnectReturn,
  McpConnectionList,
  McpHolderList,
} from "@/lib/schema/tools/mcp-connection";
import {
  type CreateMcpServerBody,
  type McpOnCall,
  McpServer,
  McpServerList,
  McpToolList,
  type UpdateMcpServerBody,
} from "@/lib/schema/tools/mcp-server";

const serverPath = (id: string) => `/api/mcp-servers/${encodeURIComponent(id)}`;
export const MCP_KEY = [...TOOLS_KEY, "mcp"] as const;

export const mcpServersQuery = queryOptions({
  queryKey: [...MCP_KEY, "servers"],
  queryFn: ({ signal }) => callJson(McpServerList, "/api/mcp-servers", { signal }),
});

export function mcpToolsQuery(serverId: string) {
  return queryOptions({
    queryKey: mcpToolsKey(serverId),
    queryFn: ({ signal }) => callJson(McpToolList, `${serverPath(serverId)}/tools`, { signal }),
  });
}

export function mcpToolsKey(serverId: string) {
  return [...MCP_KEY, "tools", serverId] as const;
}

export function createMcpServer(body: CreateMcpServerBody): Promise<McpServer> {
  return callJson(McpServer, "/api/mcp-servers", { method: "POST", body });
}

export function updateMcpServer(id: string, body: UpdateMcpServerBody): Promise<McpServer> {
  return callJson(McpServer, serverPath(id), { method: "PATCH", body });
}

export async function deleteMcpServer(id: string): Promise<void> {
  await callApi(serverPath(id), { method: "DELETE" });
}

export function refreshMcpTools(serverId: string): Promise<McpToolList> {
  return callJson(McpToolList, `${serverPath(serverId)}/refresh`, { method: "POST" });
}

/** The definitions by the hashes that were shown. */
export function acceptMcpTools(
  serverId: string,
  tools: readonly { readonly name: string; readonly hash: string }[],
): Promise<McpToolList> {
  return callJson(McpToolList, `${serverPath(serverId)}/accept`, { method: "POST", body: { tools } });
}

export function setMcpTool(serverId: string, name: string, onCall: McpOnCall): Promise<McpToolList> {
  const path = `${serverPath(serverId)}/tools/${encodeURIComponent(name)}`;
  return callJson(McpToolList, path, { method: "PATCH", body: { onCall } });
}

/** The servers to which the viewer connects with their own account. */
export const mcpConnectionsQuery = queryOptions({
  queryKey: [...MCP_KEY, "connections"],
  queryFn: ({ signal }) => callJson(McpConnectionList, "/api/mcp-connections", { signal }),
});

/** The people connected to a server. */
export function mcpHoldersQuery(serverId: string) {
  return queryOptions({
    queryKey: [...MCP_KEY, "holders", serverId],
    queryFn: ({ signal }) => callJson(McpHolderList, `${serverPath(serverId)}/connections`, { signal }),
  });
}

export function connectMcpServer(id: string, body: ConnectReturn): Promise<{ url: string }> {
  return callJson(ConnectMcpServerReply, `${serverPath(id)}/connect`, { method: "POST", body });
}

/** Another person's connection, for administrators. */
export async function endMcpConnection(id: string, userId: string): Promise<void> {
  await callApi(`${serverPath(id)}/connections/${encodeURIComponent(userId)}`, { method: "DELETE" });
}

export async function disconnectMcpServer(id: string): Promise<void> {
  await callApi(`${serverPath(id)}/connect`, { method: "DELETE" });
}
