"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { McpOnCall, McpTool, McpToolList } from "@/lib/schema/tools/mcp-server";
import { acceptMcpTools, MCP_KEY, mcpServersQuery, mcpToolsKey, refreshMcpTools, setMcpTool } from "./mcp-queries";

/** A person's decisions about the tools of a server. */
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
    onError: async (error, tools) => {
      const isStale = error instanceof ApiError && error.code === "conflict";
      if (!isStale) showToast({ title: errorMessage(error), tone: "error" });
      await queryClient.invalidateQueries({ queryKey: MCP_KEY });
      if (isStale) showToast({ title: changedText(queryClient.getQueryData<McpToolList>(key), tools), tone: "error" });
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

/** As far as currently known: when the server's last change to one of these tools was noticed. */
function changedText(list: McpToolList | undefined, shown: readonly McpTool[]): string {
  const found = list?.tools.filter(({ name, hash }) => shown.some((tool) => tool.name === name && tool.hash !== hash));
  const noticed = found?.map(({ noticedAt }) => Date.parse(noticedAt)) ?? [];
  const time = noticed.length === 0 ? "" : ` at ${CLOCK.format(Math.max(...noticed))}`;
  return `It changed again${time}. Look once more.`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** A tool that is gone is identified by its accepted definition. */
function toAccepted({ name, hash, pinnedHash }: McpTool) {
  return { name, hash: hash ?? pinnedHash ?? "" };
}

function withOnCall({ tools, ...rest }: McpToolList, name: string, onCall: McpOnCall): McpToolList {
  return { ...rest, tools: tools.map((tool) => (tool.name === name ? { ...tool, onCall, isDefault: false } : tool)) };
}
