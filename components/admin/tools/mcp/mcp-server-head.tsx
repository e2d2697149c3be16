"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Power, RefreshCw, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { Time } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { deleteMcpServer, MCP_KEY, updateMcpServer } from "@/lib/client/tools/mcp-queries";
import type { useMcpTools } from "@/lib/client/tools/use-mcp-tools";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import type { McpServer } from "@/lib/schema/tools/mcp-server";

const McpServerConnection = dynamic(
  async () => (await loadWithRetry(() => import("./mcp-server-connection"))).McpServerConnection,
  { loading: () => null },
);
const McpServerDialog = dynamic(
  async () => (await loadWithRetry(() => import("./mcp-server-dialog"))).McpServerDialog,
  {
    loading: () => null,
  },
);

interface McpServerHeadProps {
  server: McpServer;
  stdioAllowed: boolean;
  refresh: ReturnType<typeof useMcpTools>["refresh"];
  onGone: () => void;
}

/** The server's state, when it was last asked, and the actions on it. */
export function McpServerHead({ server, stdioAllowed, refresh, onGone }: McpServerHeadProps) {
  const { id, enabled, revision, state, awayReason } = server;
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const done = () => void queryClient.invalidateQueries({ queryKey: MCP_KEY });
  const onError = (error: Error) => showToast({ title: errorMessage(error), tone: "error" });
  const toggle = useMutation({
    mutationFn: () => updateMcpServer(id, { enabled: !enabled, revision }),
    onError,
    onSettled: done,
  });
  const remove = useMutation({
    mutationFn: () => deleteMcpServer(id),
    onSuccess: () => {
      onGone();
      showToast({ title: `Deleted ${id}` });
    },
    onError,
    onSettled: done,
  });
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-1.5">
      <h2 className="font-mono text-sm font-medium">{id}</h2>
      <ServerSummary server={server} />
      <span className="ml-auto flex items-center gap-1">
        <Button variant="ghost" onPress={() => setOpen("edit")}>
          Edit
        </Button>
        <Button isPending={refresh.isPending} isDisabled={!enabled} onPress={() => refresh.mutate()}>
          <RefreshCw
            aria-hidden
            className={classNames(refresh.isPending && "animate-spin motion-reduce:animate-none")}
          />
          Ask again
        </Button>
        <Menu
          label={`Actions for ${id}`}
          trigger={
            <IconButton label={`Actions for ${id}`}>
              <Ellipsis />
            </IconButton>
          }
          actions={[
            {
              id: "toggle",
              label: enabled ? "Switch off" : "Switch on",
              icon: <Power aria-hidden />,
              onAction: () => toggle.mutate(),
            },
            {
              id: "delete",
              label: "Delete",
              icon: <Trash2 aria-hidden />,
              isDanger: true,
              onAction: () => setOpen("delete"),
            },
          ]}
        />
      </span>
      {state === "away" && awayReason !== null ? (
        <p role="status" className="w-full text-xs break-words text-fail-text">
          {awayReason} <span className="text-muted">Calls fail with an error result, and runs continue.</span>
        </p>
      ) : null}
      {server.connection === null ? null : <McpServerConnection server={server} connection={server.connection} />}
      {open === "edit" ? (
        <McpServerDialog
          server={server}
          stdioAllowed={stdioAllowed}
          onClose={() => setOpen(null)}
          onSaved={() => setOpen(null)}
        />
      ) : null}
      <ConfirmDialog
        title={`Delete ${id}?`}
        confirmLabel="Delete server"
        isOpen={open === "delete"}
        onClose={() => setOpen(null)}
        onConfirm={() => remove.mutate()}
      >
        Agents that name it keep its id and lack its tools. What was accepted of it is forgotten.
      </ConfirmDialog>
    </header>
  );
}

function ServerSummary({ server: { state, facts, askedAt, url, command } }: { server: McpServer }) {
  const words = { connected: "connected", away: "away", off: "switched off", unasked: "not asked yet" }[state];
  const protocol = facts && facts.protocol !== "" && state === "connected" ? `, protocol ${facts.protocol}` : "";
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-xs text-muted">
      <span>
        {words}
        {protocol}
      </span>
      {askedAt === null ? null : (
        <span>
          · answered <Time at={askedAt} isInSentence />
        </span>
      )}
      <span className="min-w-0 truncate font-mono text-2xs">{url ?? command}</span>
    </p>
  );
}
