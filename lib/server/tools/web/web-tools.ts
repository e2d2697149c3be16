import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { env } from "@/lib/server/platform/env";
import { chosenSearch, searchAccess } from "@/lib/server/settings/web-search";
import { type SearchWeb, webFetchTool, webSearchTool } from "@/lib/tools/web/web-tools";
import { fetchPage } from "./fetch-page";
import { outsideHostOf, searchWeb } from "./search-web";

/**
 * The web tools as an agent has them. Without a configured search, `web_search` says how to set one up where the agent
 * names it, and is absent where only a glob includes it.
 */
export function webTools({ web, tools }: Pick<AgentConfig, "web" | "tools">): Tool[] {
  const { max_bytes: maxBytes, timeout_ms: timeoutMs, hosts } = web.fetch;
  const limits = { maxBytes, timeoutMs, hosts, allowedPrivateHosts: env().allowedPrivateHosts };
  const fetching = webFetchTool((url, signal) => fetchPage(url, limits, signal));
  const provider = chosenSearch(web.search);
  if (provider === null) {
    const named = Array.isArray(tools) ? tools : tools.allow;
    const unset = webSearchTool(() => Promise.reject(new Error(NO_SEARCH)), null);
    return named.includes(unset.name) ? [fetching, unset] : [fetching];
  }
  const search: SearchWeb = (query, limit, signal) => searchWeb(searchAccess(provider), { query, limit, signal });
  return [fetching, webSearchTool(search, outsideHostOf(provider))];
}

const NO_SEARCH = "No search is set up. An administrator can add one under Settings › Web search.";
