import "server-only";
import { z } from "zod";
import { summaryPair } from "@/lib/agent/summary-pair";
import { prepareHistory } from "@/lib/context/history/prepare-history";
import type { Message } from "@/lib/schema/message";
import type { Span } from "@/lib/schema/span";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { toMessage } from "@/lib/server/engine/transcript/load-history";
import type { Database } from "@/lib/server/platform/db/database";
import { readKeptText } from "./kept-texts";
import { countHistory, type RunMessages } from "./load-run-messages";

/** What of a run says how its history was prepared. */
export interface SeeingRun {
  readonly agentVersionId: string;
  readonly parentRunId: string | null;
  readonly subagentName: string | null;
  readonly isInline: boolean;
}

interface ModelCall {
  readonly span: Span;
  readonly run: SeeingRun;
  readonly messages: RunMessages;
  /** Of the run itself, before the fresh ones. */
  readonly seenBefore: readonly Message[];
  readonly fresh: readonly Message[];
}

const text = z.string().optional().catch(undefined);
const count = z.number().int().nonnegative().optional().catch(undefined);
const Pointers = z.looseObject({
  message_count: count,
  sent_count: count,
  no_history: z.boolean().optional().catch(undefined),
  compaction_count: count,
  compaction_summary: text,
  history_from: z.string().nullable().optional().catch(undefined),
  summarized_count: count,
  summarized_to: text,
  summary_message: text,
});
type Pointers = z.infer<typeof Pointers>;

/** How many messages the call read before the fresh ones. */
export async function countSeen(db: Database, { span, messages, seenBefore, fresh }: ModelCall): Promise<number> {
  const { sent_count: sent, message_count: asked } = Pointers.parse(span.attributes);
  const all = sent ?? asked;
  if (all !== undefined) return Math.max(0, all - fresh.length);
  return (await countHistory(db, messages)) + seenBefore.length;
}

/** Those messages as they were sent: after a compaction, the history pipeline and an in-run summary. */
export async function loadSeenBefore(db: Database, call: ModelCall): Promise<Message[]> {
  const pointers = Pointers.parse(call.span.attributes);
  const { config } = versionOfRun(call.run, await loadAgentVersion(db, call.run.agentVersionId));
  const pair = config.compaction.placement === "pair" ? await loadPair(db, pointers) : [];
  const stored = await loadStored(db, call.messages, pointers);
  const { messages } = prepareHistory([...pair, ...stored], config);
  const seen = [...messages, ...call.seenBefore].filter(({ role }) => role !== "system");
  const injected = config.inject_context ? [{ role: "user" as const, content: config.inject_context }] : [];
  return withSummary(db, [...injected, ...seen], pointers);
}

async function loadPair(db: Database, pointers: Pointers): Promise<readonly Message[]> {
  const { compaction_summary: hash, compaction_count: cycle = 0 } = pointers;
  const summary = hash === undefined ? null : await readKeptText(db, hash);
  return summary === null ? [] : summaryPair(summary, cycle);
}

async function loadStored(db: Database, { history }: RunMessages, pointers: Pointers): Promise<Message[]> {
  const { history_from: firstId, compaction_summary: isCompacted, no_history: hasNone } = pointers;
  if (hasNone || (isCompacted !== undefined && firstId === null)) return [];
  const first = firstId
    ? await db.message.findFirst({ where: { id: firstId, threadId: history.threadId }, select: { position: true } })
    : null;
  const from = first ? [{ position: { gte: first.position } }] : [];
  const rows = await db.message.findMany({ where: { AND: [history, ...from] }, orderBy: { position: "asc" } });
  return rows.map(toMessage);
}

/** An in-run summary stands for everything up to the message it names. */
async function withSummary(db: Database, messages: Message[], pointers: Pointers): Promise<Message[]> {
  const { summary_message: hash, summarized_to: lastId, summarized_count: summarized = 0 } = pointers;
  const content = hash === undefined ? null : await readKeptText(db, hash);
  if (content === null) return messages;
  const named = messages.findIndex(({ id }) => id !== undefined && id === lastId);
  const cut = named === -1 ? summarized : named + 1;
  return [{ role: "user", content }, ...messages.slice(cut)];
}
