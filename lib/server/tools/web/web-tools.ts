import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { env } from "@/lib/server/platform/env";
import { chosenSearch, searchAccess } from "@/lib/server/settings/web-search";
import { webFetchTool, webSearchTool } from "@/lib/tools/web/web-tools";
import { fetchPage } from "./fetch-page";
import { searchWeb } from "./search-web";

/** The web tools as an agent has them; `web_search` only if a provider is configured. */
export function webTools({ web }: Pick<AgentConfig, "web">): Tool[] {
  const { max_bytes: maxBytes, timeout_ms: timeoutMs, hosts } = web.fetch;
  const limits = { maxBytes, timeoutMs, hosts, allowedPrivateHosts: env().allowedPrivateHosts };
  const fetching = webFetchTool((url, signal) => fetchPage(url, limits, signal));
  const provider = chosenSearch(web.search);
  if (provider === null) return [fetching];
  return [
    fetching,
    webSearchTool((query, limit, signal) => searchWeb(searchAccess(provider), { query, limit, signal })),
  ];
}
