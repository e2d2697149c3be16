"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { mentionIn } from "@/lib/client/chat/composer/mention";
import type { McpOffers } from "@/lib/client/chat/composer/use-mcp-offers";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Loaded with the first menu: most messages don't need it. */
const McpHost = dynamic(async () => (await loadWithRetry(() => import("./mcp-host"))).McpHost, { ssr: false });

/** What MCP servers, prompts and a thread's files add to the composer's menus, once a person has typed a slash or an `@`. */
export function useMcpMenu(
  agentId: string | undefined,
  text: string,
  onText: (text: string) => void,
  threadId: string | null = null,
) {
  const [offers, setOffers] = useState<McpOffers>();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && (text.startsWith("/") || mentionIn(text) !== null)) setNeeded(true);
  const isHosted = isNeeded && agentId !== undefined;
  return {
    mcp: isHosted ? offers : undefined,
    mcpHost: isHosted ? (
      <McpHost agentId={agentId} threadId={threadId} text={text} onText={onText} onOffers={setOffers} />
    ) : null,
  };
}
