"use client";
import dynamic from "next/dynamic";
import { useEffect, useMemo } from "react";
import { useShell } from "@/components/shell/shell-context";
import { useFileMentions } from "@/lib/client/chat/composer/use-file-mentions";
import { type McpOffers, useMcpOffers } from "@/lib/client/chat/composer/use-mcp-offers";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useSavedPrompts } from "@/lib/client/prompts/use-saved-prompts";
import { PromptDialog } from "./prompt-dialog";

const FillPromptDialog = dynamic(
  async () => (await loadWithRetry(() => import("@/components/prompts/fill-prompt-dialog"))).FillPromptDialog,
  { loading: () => null },
);

export interface McpHostProps {
  agentId: string;
  /** The thread whose files are offered; null where there is none. */
  threadId: string | null;
  text: string;
  onText: (text: string) => void;
  onOffers: (offers: McpOffers) => void;
}

/** Loads prompts, the thread's files and what MCP servers offer for the menus, and asks people for a prompt's arguments. */
export function McpHost({ agentId, threadId, text, onText, onOffers }: McpHostProps) {
  const { offers, asked, isWriting, error, write, cancel } = useMcpOffers(agentId, text, onText);
  const { go } = useShell();
  const saved = useSavedPrompts(text, onText);
  const files = useFileMentions(threadId, text, onText);
  const all = useMemo<McpOffers>(() => {
    const library = { name: "/prompts", does: "Write, change and delete your prompts", onChoose: () => go("/prompts") };
    return {
      ...offers,
      prompts: [...saved.commands, ...offers.prompts, library],
      resources: [...files, ...offers.resources],
    };
  }, [offers, saved.commands, files, go]);
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
