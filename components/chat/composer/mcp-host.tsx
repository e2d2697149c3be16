"use client";
import { useEffect } from "react";
import { type McpOffers, useMcpOffers } from "@/lib/client/chat/composer/use-mcp-offers";
import { PromptDialog } from "./prompt-dialog";

export interface McpHostProps {
  agentId: string;
  text: string;
  onText: (text: string) => void;
  onOffers: (offers: McpOffers) => void;
}

/** Asks the agent's MCP servers for the menus, and people for the arguments of a prompt. */
export function McpHost({ agentId, text, onText, onOffers }: McpHostProps) {
  const { offers, asked, isWriting, error, write, cancel } = useMcpOffers(agentId, text, onText);
  useEffect(() => onOffers(offers), [offers, onOffers]);
  if (asked === null) return null;
  return (
    <PromptDialog
      prompt={asked}
      isPending={isWriting}
      error={error}
      onWrite={(args) => write(asked, args)}
      onClose={cancel}
    />
  );
}
