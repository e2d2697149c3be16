"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { mcpServersQuery, mcpToolsQuery } from "@/lib/client/tools/mcp-queries";
import { useMcpTools } from "@/lib/client/tools/use-mcp-tools";
import type { McpServer, McpServerList } from "@/lib/schema/tools/mcp-server";
import { McpServerHead } from "./mcp-server-head";
import { McpServerRows } from "./mcp-server-rows";
import { McpToolDetail } from "./mcp-tool-detail";
import { McpToolTable } from "./mcp-tool-table";

const McpServerDialog = dynamic(
  async () => (await loadWithRetry(() => import("./mcp-server-dialog"))).McpServerDialog,
  {
    loading: () => null,
  },
);

interface McpPanelProps {
  serverId: string | null;
  toolName: string | null;
  onServer: (id: string | null) => void;
  onTool: (name: string | null) => void;
}

/** Servers, the tools of one of them, and the definition of one tool: trust is given tool by tool. */
export function McpPanel(props: McpPanelProps) {
  const servers = useQuery(mcpServersQuery);
  return (
    <QueryState what="MCP servers" query={servers}>
      {(found) => <Servers {...props} list={found} />}
    </QueryState>
  );
}

function Servers({ list, serverId, toolName, onServer, onTool }: McpPanelProps & { list: McpServerList }) {
  const [isAdding, setAdding] = useState(false);
  const { mcpServers: servers, stdioAllowed } = list;
  const server = servers.find(({ id }) => id === serverId) ?? servers[0];
  const dialog = isAdding ? (
    <McpServerDialog
      stdioAllowed={stdioAllowed}
      onClose={() => setAdding(false)}
      onSaved={({ id }) => {
        setAdding(false);
        onServer(id);
      }}
    />
  ) : null;
  const add = (
    <Button variant={server ? "outline" : "primary"} onPress={() => setAdding(true)}>
      <Plus aria-hidden />
      Add server
    </Button>
  );
  if (!server) {
    return (
      <>
        <EmptyState title="No MCP servers" actions={add}>
          An MCP server brings tools of other programs. Add one, then accept its tools one by one: until then no agent
          is offered them.
        </EmptyState>
        {dialog}
      </>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <McpServerRows servers={servers} selectedId={server.id} onSelect={onServer} action={add} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col max-lg:flex-none">
        <ServerTools
          key={server.id}
          server={server}
          stdioAllowed={stdioAllowed}
          toolName={toolName}
          onTool={onTool}
          onGone={() => onServer(null)}
        />
      </div>
      {dialog}
    </div>
  );
}

interface ServerToolsProps {
  server: McpServer;
  stdioAllowed: boolean;
  toolName: string | null;
  onTool: (name: string | null) => void;
  onGone: () => void;
}

function ServerTools({ server, stdioAllowed, toolName, onTool, onGone }: ServerToolsProps) {
  const tools = useQuery(mcpToolsQuery(server.id));
  const actions = useMcpTools(server.id);
  return (
    <>
      <McpServerHead server={server} stdioAllowed={stdioAllowed} refresh={actions.refresh} onGone={onGone} />
      <QueryState what="tools of the server" query={tools}>
        {({ tools: found }) => {
          const first = found.find(({ state }) => state !== "pinned") ?? found[0] ?? null;
          const selected = toolName === null ? first : (found.find(({ name }) => name === toolName) ?? first);
          const index = selected ? found.indexOf(selected) : -1;
          return (
            <div className="flex min-h-0 flex-1 max-lg:flex-col-reverse">
              <McpToolTable server={server} tools={found} selected={selected} actions={actions} onSelect={onTool} />
              {selected ? (
                <McpToolDetail
                  key={`${selected.name} ${selected.hash}`}
                  tool={selected}
                  actions={actions}
                  onKeepWithdrawn={() => onTool(found[index + 1]?.name ?? null)}
                />
              ) : null}
            </div>
          );
        }}
      </QueryState>
    </>
  );
}
