"use client";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { useMcpConnection } from "@/lib/client/tools/use-mcp-connection";
import type { OwnMcpConnection } from "@/lib/schema/tools/mcp-connection";

interface ConnectionButtonsProps {
  serverId: string;
  connection: OwnMcpConnection;
  /** The page to which the browser returns. */
  returnTo: "tools" | "connections";
  /** Ends everybody's connection, not only the viewer's. */
  isShared: boolean;
}

export function ConnectionButtons({ serverId, connection: { state }, returnTo, isShared }: ConnectionButtonsProps) {
  const { connect, disconnect } = useMcpConnection(serverId, { returnTo });
  const [isAsking, setAsking] = useState(false);
  return (
    <span className="flex items-center gap-1">
      {state === "none" ? null : (
        <Button
          variant="ghost"
          aria-label={`Disconnect from ${serverId}`}
          isPending={disconnect.isPending}
          onPress={() => setAsking(true)}
        >
          Disconnect
        </Button>
      )}
      {state === "connected" ? null : (
        <Button
          variant="primary"
          aria-label={`Connect to ${serverId}`}
          isPending={connect.isPending || connect.isSuccess}
          onPress={() => connect.mutate()}
        >
          Connect
        </Button>
      )}
      <ConfirmDialog
        title={`Disconnect from ${serverId}?`}
        confirmLabel="Disconnect"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => disconnect.mutate()}
      >
        {isShared ? "Calls of all people fail" : "Your calls wait"} until the server is connected again. The server is
        asked to revoke the access.
      </ConfirmDialog>
    </span>
  );
}
