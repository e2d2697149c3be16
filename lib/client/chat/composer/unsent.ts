import { z } from "zod";
import type { Outgoing } from "@/lib/client/chat/thread-state";
import { Effort } from "@/lib/schema/agents/choices";
import { readDraft, writeDraft } from "./drafts";

const UNSENT_PREFIX = "ringmaster-unsent:";
const Unsent = z.array(
  z.object({
    key: z.string(),
    text: z.string(),
    model: z.string().nullable(),
    effort: Effort.nullable().optional(),
    agentId: z.string().optional(),
    content: z.string().nullable(),
    steers: z.boolean().optional(),
    problem: z.string().nullable().optional(),
  }),
);

/**
 * Messages in flight when the thread's page was left: this tab shows them again. One whose files were still being
 * uploaded goes back into the field, where its files are attached again.
 */
export function readUnsent(threadId: string): Outgoing[] {
  try {
    const stored = sessionStorage.getItem(UNSENT_PREFIX + threadId);
    if (stored === null) return [];
    const all = Unsent.parse(JSON.parse(stored));
    const kept = all.filter(({ content }) => content !== null);
    if (kept.length < all.length) {
      const texts = all.flatMap(({ content, text }) => (content === null ? [text] : []));
      writeDraft(threadId, [...texts, readDraft(threadId)].filter(Boolean).join("\n\n"));
      storeUnsent(threadId, kept);
    }
    return kept.map((message) => ({
      ...message,
      files: [],
      status: "failed",
      problem: message.problem ?? LEFT,
      runId: null,
    }));
  } catch {
    return [];
  }
}

const LEFT = "You left the page before the server answered.";

export function storeUnsent(threadId: string, messages: z.input<typeof Unsent>): void {
  try {
    if (messages.length === 0) sessionStorage.removeItem(UNSENT_PREFIX + threadId);
    else sessionStorage.setItem(UNSENT_PREFIX + threadId, JSON.stringify(Unsent.parse(messages)));
  } catch {
    // Storage may be full or forbidden; they are then shown as long as the page is open.
  }
}
