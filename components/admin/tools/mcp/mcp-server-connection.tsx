"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConnectResult } from "@/components/connections/connect-result";
import { ConnectionButtons } from "@/components/connections/connection-buttons";
import { ConnectionState } from "@/components/connections/connection-labels";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { errorMessage } from "@/lib/client/http/api";
import { endMcpConnection, MCP_KEY, mcpHoldersQuery } from "@/lib/client/tools/mcp-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import type { OwnMcpConnection } from "@/lib/schema/tools/mcp-connection";
import type { McpServer } from "@/lib/schema/tools/mcp-server";

interface McpServerConnectionProps {
  server: McpServer;
  connection: OwnMcpConnection;
}

/** With OAuth: the connection with which an administrator reads the tools, and who else is connected. */
export function McpServerConnection({ server: { id, scope, enabled }, connection }: McpServerConnectionProps) {
  const isShared = scope === "shared";
  return (
    <section aria-label={`Connection to ${id}`} className="w-full border-t border-separator pt-1.5 text-xs">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>{isShared ? "Everybody" : "You"}</span>
        <ConnectionState connection={connection} />
        {enabled ? (
          <span className="ml-auto">
            <ConnectionButtons serverId={id} connection={connection} returnTo="tools" isShared={isShared} />
          </span>
        ) : null}
      </div>
      <Holders serverId={id} isShared={isShared} />
      <ConnectResult />
    </section>
  );
}

function EndConnection({ serverId, userId, name }: { serverId: string; userId: string; name: string }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => endMcpConnection(serverId, userId),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: MCP_KEY }),
  });
  return (
    <>
      <Button
        variant="ghost"
        aria-label={`End the connection of ${name}`}
        isPending={end.isPending}
        onPress={() => setAsking(true)}
      >
        End
      </Button>
      <ConfirmDialog
        title={`End the connection of ${name} to ${serverId}?`}
        confirmLabel="End connection"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => end.mutate()}
      >
        Calls of {name} wait until they connect again. The server is asked to revoke the access.
      </ConfirmDialog>
    </>
  );
}

function Holders({ serverId, isShared }: { serverId: string; isShared: boolean }) {
  const { viewer } = useShell();
  const { data } = useQuery(mcpHoldersQuery(serverId));
  const holders = data?.holders ?? [];
  if (holders.length === 0) return null;
  return (
    <details>
      <summary className="w-fit cursor-default py-1 text-muted touch-row">
        {isShared ? "Who connected it" : `${holders.length} ${holders.length === 1 ? "person" : "people"} connected`}
      </summary>
      <ul aria-label={`Connected to ${serverId}`} className="max-h-40 overflow-y-auto pb-1">
        {holders.map((holder) => (
          <li key={holder.userId ?? "shared"} className="flex flex-wrap gap-x-3 py-0.5">
            <span>{holder.name ?? "Unknown"}</span>
            <ConnectionState connection={holder} />
            {holder.userId === null || holder.userId === viewer.id ? null : (
              <EndConnection serverId={serverId} userId={holder.userId} name={holder.name ?? "this person"} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
