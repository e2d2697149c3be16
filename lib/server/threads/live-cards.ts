import "server-only";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import { cardTokens } from "@/lib/schema/runs/usage";
import type { TranscriptMessage } from "@/lib/schema/threads/thread";
import { describeChild } from "@/lib/server/engine/children/child-run";
import type { Database } from "@/lib/server/platform/db/database";

type Card = Partial<SubagentData>;

/**
 * Stored messages with the current cards of subagents that have not ended, because one in the background may outlive
 * its parent, whose message was stored with an older card. Also adds costs that became known later.
 */
export async function withLiveCards(
  database: Database,
  messages: readonly TranscriptMessage[],
  runIds: readonly string[],
): Promise<TranscriptMessage[]> {
  const unpriced = messages.flatMap(({ parts }) => parts.flatMap(unpricedChild));
  const open = await database.run.findMany({
    where: { OR: [{ parentRunId: { in: [...runIds] }, endedAt: null }, { id: { in: unpriced } }] },
  });
  if (open.length === 0) return [...messages];
  const cards = new Map<string, Card>();
  for (const row of open) {
    const { status, lastLine, calls, usage, costUsd } = await describeChild(database, row);
    const isAtWork = status === "waiting" && row.waitingFor === "child";
    cards.set(row.id, { status: isAtWork ? "running" : status, lastLine, calls, ...cardTokens(usage), costUsd });
  }
  return messages.map((message) => ({ ...message, parts: message.parts.map((part) => withCard(part, cards)) }));
}

function unpricedChild(part: Part): string[] {
  if (part.type !== "data-subagent") return [];
  const { runId, costUsd } = part.data as SubagentData;
  return costUsd === null ? [runId] : [];
}

type Part = TranscriptMessage["parts"][number];

function withCard(part: Part, cards: ReadonlyMap<string, Card>): Part {
  if (part.type !== "data-subagent") return part;
  const data = part.data as SubagentData;
  return { ...part, data: { ...data, ...cards.get(data.runId) } };
}
