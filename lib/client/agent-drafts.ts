import { z } from "zod";
import { readDraft, writeDraft } from "./drafts";

/** The text of an agent that somebody has changed and not published, kept in this browser. */
const AgentDraft = z.object({
  text: z.string(),
  /** Of the published text that it was begun from. */
  baseVersion: z.number(),
});
export type AgentDraft = z.infer<typeof AgentDraft>;

const keyOf = (agentId: string) => `agent:${agentId}`;

export function readAgentDraft(agentId: string): AgentDraft | null {
  try {
    return AgentDraft.parse(JSON.parse(readDraft(keyOf(agentId))));
  } catch {
    return null;
  }
}

export function writeAgentDraft(agentId: string, draft: AgentDraft | null): void {
  writeDraft(keyOf(agentId), draft === null ? "" : JSON.stringify(draft));
}
