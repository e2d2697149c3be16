"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { MENTION, mentionIn } from "./mention";
import type { SlashCommand } from "./use-commands";

export interface Answerer {
  /** The agent that answers the next message instead of the thread's; null: the thread's own. */
  readonly agent: AgentInfo | null;
  readonly clear: () => void;
  /** The agents that can be mentioned after an `@`. */
  readonly offered: readonly SlashCommand[];
}

/** An `@agent` in the composer: that agent answers one message. */
export function useAnswerer(ownId: string | undefined, text: string, onText: (text: string) => void): Answerer {
  const [id, setId] = useState<string | null>(null);
  const { data = [] } = useQuery(agentsQuery);
  const others = data.filter((agent) => agent.id !== ownId);
  const offer = (agent: AgentInfo): SlashCommand => ({
    name: `@${agent.id}`,
    does: `${agent.name} answers this message`,
    key: `agent ${agent.id}`,
    onChoose: () => {
      setId(agent.id);
      onText(text.replace(MENTION, "$1"));
    },
  });
  return {
    agent: others.find((agent) => agent.id === id) ?? null,
    clear: () => setId(null),
    offered: mentionIn(text) === null ? [] : others.map(offer),
  };
}

/** Why files attached for one agent can't be sent to another. */
export function otherFiles(own: string, other: string): string {
  return `${other} has files of its own and cannot read those attached here. Send them to ${own}, or remove them.`;
}
