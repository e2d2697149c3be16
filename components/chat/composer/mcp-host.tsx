"use client";
import dynamic from "next/dynamic";
import { useEffect, useMemo } from "react";
import { useShell } from "@/components/shell/shell-context";
import { type McpOffers, useMcpOffers } from "@/lib/client/chat/composer/use-mcp-offers";
import { useSavedPrompts } from "@/lib/client/prompts/use-saved-prompts";
import { PromptDialog } from "./prompt-dialog";

const FillPromptDialog = dynamic(
  async () => (await import("@/components/prompts/fill-prompt-dialog")).FillPromptDialog,
  { loading: () => null },
);

export interface McpHostProps {
  agentId: string;
  text: string;
  onText: (text: string) => void;
  onOffers: (offers: McpOffers) => void;
}

/** Loads the prompt library and the agent's MCP servers for the menus, and asks people for a prompt's arguments. */
export function McpHost({ agentId, text, onText, onOffers }: McpHostProps) {
  const { offers, asked, isWriting, error, write, cancel } = useMcpOffers(agentId, text, onText);
  const { go } = useShell();
  const saved = useSavedPrompts(text, onText);
  const all = useMemo<McpOffers>(() => {
    const library = { name: "/prompts", does: "Write, change and delete your prompts", onChoose: () => go("/prompts") };
    return { ...offers, prompts: [...saved.commands, ...offers.prompts, library] };
  }, [offers, saved.commands, go]);
  useEffect(() => onOffers(all), [all, onOffers]);
  if (saved.asked !== null) {
    return <FillPromptDialog prompt={saved.asked} onWrite={saved.write} onClose={saved.cancel} />;
  }
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
