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
import { mcpServersQuery } from "@/lib/client/tools/mcp-queries";

const loading = () => <SkeletonList label="Loading the tools" rows={8} className="p-2" />;
const BuiltinTools = dynamic(() => import("./builtin-tools").then((module) => module.BuiltinTools), { loading });
const HttpTools = dynamic(() => import("./http/http-tools").then((module) => module.HttpTools), { loading });
const McpPanel = dynamic(() => import("./mcp/mcp-panel").then((module) => module.McpPanel), { loading });
const RulesPanel = dynamic(() => import("./rules-panel").then((module) => module.RulesPanel), { loading });
const GrantsPanel = dynamic(() => import("./grants-panel").then((module) => module.GrantsPanel), { loading });

const ExtensionsPanel = dynamic(
  () => import("@/components/admin/extensions/extensions-panel").then((module) => module.ExtensionsPanel),
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
