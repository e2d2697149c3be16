"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Tabs } from "@/components/ui/controls/tabs";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { Count } from "@/components/ui/tag";
import { extensionsQuery } from "@/lib/client/extensions/extension-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { mcpServersQuery } from "@/lib/client/tools/mcp-queries";

const loading = () => <SkeletonList label="Loading the tools" rows={8} className="p-2" />;
const BuiltinTools = dynamic(async () => (await loadWithRetry(() => import("./builtin-tools"))).BuiltinTools, {
  loading,
});
const HttpTools = dynamic(async () => (await loadWithRetry(() => import("./http/http-tools"))).HttpTools, { loading });
const McpPanel = dynamic(async () => (await loadWithRetry(() => import("./mcp/mcp-panel"))).McpPanel, { loading });
const RulesPanel = dynamic(async () => (await loadWithRetry(() => import("./rules-panel"))).RulesPanel, { loading });
const GrantsPanel = dynamic(async () => (await loadWithRetry(() => import("./grants-panel"))).GrantsPanel, { loading });

const ExtensionsPanel = dynamic(
  async () => (await loadWithRetry(() => import("@/components/admin/extensions/extensions-panel"))).ExtensionsPanel,
  { loading },
);

const TABS = ["builtin", "http", "mcp", "extensions", "rules", "grants"] as const;

const URL_STATE = {
  tab: parseAsStringLiteral(TABS),
  server: parseAsString,
  tool: parseAsString,
};

/** The tools agents can call, their origin, and the approvals they need. */
export function ToolsPage({ viewerId }: { viewerId: string }) {
  const [{ tab: chosen, server, tool }, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  // Addresses that people kept name the server alone.
  const tab = chosen ?? (server === null ? "builtin" : "mcp");
  const extensions = useQuery(extensionsQuery);
  const hasExtensions = tab === "extensions" || (extensions.data ?? []).length > 0;
  const servers = useQuery(mcpServersQuery);
  const waiting = (servers.data?.mcpServers ?? []).reduce((sum, { tools }) => sum + tools.waiting, 0);
  return (
    <Page>
      <PageHead title="Tools" />
      <Tabs
        label="Kinds of tools"
        className="flex-1"
        panelClassName="flex flex-col"
        selected={tab}
        onSelect={(id) => void setUrl({ tab: TABS.find((known) => known === id) ?? null, server: null, tool: null })}
        items={[
          { id: "builtin", label: "Built-in", content: <BuiltinTools /> },
          { id: "http", label: "HTTP", content: <HttpTools /> },
          {
            id: "mcp",
            label: <>MCP servers {waiting > 0 ? <Count signal>{waiting}</Count> : null}</>,
            content: (
              <McpPanel
                serverId={server}
                toolName={tool}
                onServer={(id) => void setUrl({ tab: "mcp", server: id, tool: null })}
                onTool={(name) => void setUrl({ tool: name })}
              />
            ),
          },
          ...(hasExtensions ? [{ id: "extensions", label: "Extensions", content: <ExtensionsPanel /> }] : []),
          { id: "rules", label: "Rules", content: <RulesPanel /> },
          { id: "grants", label: "Grants", content: <GrantsPanel viewerId={viewerId} /> },
        ]}
      />
    </Page>
  );
}
