"use client";
import { useQuery } from "@tanstack/react-query";
import { ConnectResult } from "@/components/connections/connect-result";
import { ConnectionButtons } from "@/components/connections/connection-buttons";
import { ConnectionState } from "@/components/connections/connection-labels";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { mcpConnectionsQuery } from "@/lib/client/tools/mcp-queries";
import { InboxHead } from "./inbox-head";

/** The servers that agents call with the viewer's own account. */
export function ConnectionsPage() {
  const query = useQuery(mcpConnectionsQuery);
  const connections = query.data?.connections ?? [];
  return (
    <Page>
      <InboxHead />
      <ConnectResult />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {query.data && connections.length === 0 ? (
          <EmptyState title="No connections needed">
            Some MCP servers are called with your own account. None of this installation wants that at the moment.
          </EmptyState>
        ) : null}
        {connections.length > 0 ? (
          <div className="mx-auto max-w-[776px] px-6 py-5 max-sm:px-3">
            <p className="mb-3 text-xs text-muted">
              Agents call these servers with your own account. Nobody else's runs use your connection.
            </p>
            <ul aria-label="Connections" className="border-y border-border">
              {connections.map((connection) => (
                <li
                  key={connection.serverId}
                  className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-separator px-1.5 py-1.5 last:border-b-0"
                >
                  <span className="font-mono text-xs font-medium">{connection.serverId}</span>
                  <span className="min-w-0 truncate font-mono text-2xs text-muted">{connection.host}</span>
                  <span className="min-w-0 text-xs break-words">
                    <ConnectionState connection={connection} />
                  </span>
                  <span className="ml-auto">
                    <ConnectionButtons
                      serverId={connection.serverId}
                      connection={connection}
                      returnTo="connections"
                      isShared={false}
                    />
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {query.data ? null : <QueryState what="connections" query={query} rows={3} />}
      </div>
    </Page>
  );
}
