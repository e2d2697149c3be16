import "server-only";
import { estimateTokens, tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { isSummaryMessage } from "@/lib/agent/messages/summary-pair";
import type { ModelRequest } from "@/lib/agent/model";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { LastRequest } from "@/lib/schema/threads/thread-context";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { type NewLines, NOTHING_NEW } from "./new-lines";
import { sectionSources } from "./section-sources";

interface Origins {
  /** The hook that added each section; a section without one is the agent's own. */
  readonly sectionsFrom: ReadonlyMap<string, string>;
  readonly newLinesIn: NewLines;
  /** The agent's own texts; null if they are not known. */
  readonly own: Pick<AgentVersion, "config" | "promptFiles"> | null;
}

const UNKNOWN: Origins = { sectionsFrom: new Map(), newLinesIn: NOTHING_NEW, own: null };

/** A request as a person reads it, in parts with their sizes. */
export function requestText(
  { system, messages, tools }: Pick<ModelRequest, "system" | "messages" | "tools">,
  { chars_per_token: charsPerToken }: Pick<AgentConfig, "chars_per_token">,
  { sectionsFrom, newLinesIn, own }: Origins = UNKNOWN,
): NonNullable<LastRequest["request"]> {
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  return {
    sections: system.map(({ name, text }) => ({
      name,
      text,
      from: sectionsFrom.get(name) ?? "agent",
      ...((sectionsFrom.get(name) ?? "agent") === "agent" ? newLinesIn(text) : {}),
      ...(own === null ? {} : { sources: sectionSources(text, own) }),
      tokens: tokensOf(text, charsPerToken),
      estimated: true,
    })),
    messages: messages.map((message, index) => ({
      role: message.role,
      name: message.role === "tool" ? message.name : null,
      content: message.content,
      calls:
        message.role === "assistant"
          ? message.toolCalls.map(({ name, rawArgs }) => ({ name, arguments: rawArgs }))
          : [],
      isNew: index >= lastReply && lastReply !== -1,
      isSummary: isSummaryMessage(message),
      tokens: estimateTokens([message], charsPerToken),
      estimated: true,
    })),
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      tokens: tokensOf(JSON.stringify(tool), charsPerToken),
      estimated: true,
    })),
  };
}
