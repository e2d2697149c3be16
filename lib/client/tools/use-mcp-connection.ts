"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ConnectReturn } from "@/lib/schema/tools/mcp-connection";
import { connectMcpServer, disconnectMcpServer, MCP_KEY } from "./mcp-queries";

/** Connecting leaves the page for the server's sign-in, which sends the browser back to `returnTo`. */
export function useMcpConnection(serverId: string, returnTo: ConnectReturn) {
  const queryClient = useQueryClient();
  const onError = (error: Error) => showToast({ title: errorMessage(error), tone: "error" });
  const connect = useMutation({
    mutationFn: () => connectMcpServer(serverId, returnTo),
    onSuccess: ({ url }) => window.location.assign(url),
    onError,
  });
  const disconnect = useMutation({
    mutationFn: () => disconnectMcpServer(serverId),
    onSuccess: () => showToast({ title: `Disconnected from ${serverId}` }),
    onError,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: MCP_KEY }),
  });
  return { connect, disconnect };
}
