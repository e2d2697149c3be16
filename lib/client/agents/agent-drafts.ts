import { z } from "zod";
import { readDraft, writeDraft } from "@/lib/client/chat/drafts";

/** The text of an agent that somebody has changed and not published, kept in this browser. */
const KeptAgentDraft = z.object({
  text: z.string(),
  /** Of the published text that it was begun from. */
  baseVersion: z.number(),
});
export type KeptAgentDraft = z.infer<typeof KeptAgentDraft>;

const keyOf = (agentId: string) => `agent:${agentId}`;

export function readAgentDraft(agentId: string): KeptAgentDraft | null {
  try {
    return KeptAgentDraft.parse(JSON.parse(readDraft(keyOf(agentId))));
  } catch {
    return null;
  }
}

export function writeAgentDraft(agentId: string, draft: KeptAgentDraft | null): void {
  writeDraft(keyOf(agentId), draft === null ? "" : JSON.stringify(draft));
}
