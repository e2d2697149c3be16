"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { McpOnCall, McpTool, McpToolList } from "@/lib/schema/tools/mcp-server";
import { acceptMcpTools, MCP_KEY, mcpServersQuery, mcpToolsKey, refreshMcpTools, setMcpTool } from "./mcp-queries";

/** What a person decides about the tools of a server. */
export function useMcpTools(serverId: string) {
  const queryClient = useQueryClient();
  const key = mcpToolsKey(serverId);
  const keep = (list: McpToolList) => {
    queryClient.setQueryData(key, list);
    void queryClient.invalidateQueries({ queryKey: mcpServersQuery.queryKey });
  };
  const accept = useMutation({
    mutationFn: (tools: readonly McpTool[]) => acceptMcpTools(serverId, tools.map(toAccepted)),
    onSuccess: (list, tools) => {
      keep(list);
      const [first] = tools;
      showToast({ title: tools.length === 1 ? `Accepted ${first?.name}` : `Accepted ${tools.length} tools` });
    },
    onError: (error) => {
      const isStale = error instanceof ApiError && error.code === "conflict";
      showToast({ title: isStale ? "It changed again. Look once more." : errorMessage(error), tone: "error" });
      void queryClient.invalidateQueries({ queryKey: MCP_KEY });
    },
  });
  const refresh = useMutation({
    mutationFn: () => refreshMcpTools(serverId),
    onSuccess: keep,
    onError: (error) => {
      showToast({ title: errorMessage(error), tone: "error" });
      void queryClient.invalidateQueries({ queryKey: MCP_KEY });
    },
  });
  const setOnCall = useMutation({
    mutationFn: ({ name, onCall }: { name: string; onCall: McpOnCall }) => setMcpTool(serverId, name, onCall),
    onMutate: ({ name, onCall }) => {
      queryClient.setQueryData<McpToolList>(key, (list) => list && withOnCall(list, name, onCall));
    },
    onSuccess: keep,
    onError: (error) => {
      showToast({ title: errorMessage(error), tone: "error" });
      void queryClient.invalidateQueries({ queryKey: key });
    },
  });
  return { accept, refresh, setOnCall };
}

/** A tool that is gone is forgotten by the definition that was accepted. */
function toAccepted({ name, hash, pinnedHash }: McpTool) {
  return { name, hash: hash ?? pinnedHash ?? "" };
}

function withOnCall({ tools, ...rest }: McpToolList, name: string, onCall: McpOnCall): McpToolList {
  return { ...rest, tools: tools.map((tool) => (tool.name === name ? { ...tool, onCall, isDefault: false } : tool)) };
}
