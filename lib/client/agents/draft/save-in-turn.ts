import { saveAgentDraft } from "@/lib/client/agents/draft/draft-queries";
import type { AgentDraft } from "@/lib/schema/agents/agent-draft";

interface Saved {
  readonly yaml: string;
  readonly draft: AgentDraft;
}

const saving = new Map<string, Promise<Saved | null>>();

/**
 * Saves an agent's draft after the saves of this page that are under way: an editor that closes may still be saving what
 * the next one finds unsaved. What was stored by then is not sent again. Rejects as `saveAgentDraft` does.
 */
export async function saveInTurn(agentId: string, yaml: string, revision: number): Promise<AgentDraft> {
  const before = saving.get(agentId);
  const save = sendAfter(before, agentId, yaml, revision);
  const ended = save.then(
    (draft) => ({ yaml, draft }),
    () => null,
  );
  saving.set(agentId, ended);
  try {
    return await save;
  } finally {
    if (saving.get(agentId) === ended) saving.delete(agentId);
  }
}

async function sendAfter(
  before: Promise<Saved | null> | undefined,
  agentId: string,
  yaml: string,
  revision: number,
): Promise<AgentDraft> {
  const saved = await before;
  return saved?.yaml === yaml ? saved.draft : saveAgentDraft(agentId, { yaml, revision });
}
