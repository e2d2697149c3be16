"use client";
import { useState } from "react";
import { z } from "zod";
import { readDraft, writeDraft } from "@/lib/client/chat/composer/drafts";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { useYamlDraft, type YamlDraft } from "./use-yaml-draft";

export interface AgentDraft extends YamlDraft {
  readonly isChanged: boolean;
  /** The version that the text was begun from, where a newer one has been published since; null otherwise. */
  readonly behind: number | null;
  /** `sent` has become version `published`: what was written in the meantime stays. */
  readonly markPublished: (sent: string, published: AgentDetail) => void;
}

/**
 * The text of an agent as somebody edits it. It is kept in this browser until it is published or discarded, whatever
 * is published elsewhere; as long as nothing is changed, it follows what is live.
 */
export function useAgentDraft(agent: AgentDetail): AgentDraft {
  const live = agent.yaml ?? "";
  const [kept] = useState(() => readAgentDraft(agent.id));
  const draft = useYamlDraft(kept?.text ?? live, { isKept: true });
  const [baseVersion, setBaseVersion] = useState(kept?.baseVersion ?? agent.version);
  const [seen, setSeen] = useState(agent);
  if (seen !== agent) {
    setSeen(agent);
    if (draft.text === (seen.yaml ?? "")) draft.setText(live);
  }
  const isChanged = draft.text !== live;
  const keep = (text: string, version: number) => {
    setBaseVersion(version);
    writeAgentDraft(agent.id, { text, baseVersion: version });
    draft.setText(text);
  };
  const drop = (yaml: string) => {
    writeAgentDraft(agent.id, null);
    draft.setText(yaml);
  };
  return {
    ...draft,
    isChanged,
    behind: isChanged && baseVersion < agent.version ? baseVersion : null,
    setText: (text) => (text === live ? drop(live) : keep(text, isChanged ? baseVersion : agent.version)),
    markPublished: (sent, published) =>
      draft.text === sent ? drop(published.yaml ?? "") : keep(draft.text, published.version),
  };
}

/** The text of an agent that somebody has changed and not published, kept in this browser. */
const KeptAgentDraft = z.object({
  text: z.string(),
  /** Of the published text that it was begun from. */
  baseVersion: z.number(),
});
type KeptAgentDraft = z.infer<typeof KeptAgentDraft>;

const keyOf = (agentId: string) => `agent:${agentId}`;

function readAgentDraft(agentId: string): KeptAgentDraft | null {
  try {
    return KeptAgentDraft.parse(JSON.parse(readDraft(keyOf(agentId))));
  } catch {
    return null;
  }
}

function writeAgentDraft(agentId: string, draft: KeptAgentDraft | null): void {
  writeDraft(keyOf(agentId), draft === null ? "" : JSON.stringify(draft));
}
