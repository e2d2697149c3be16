import { summaryPair, summarySection } from "@/lib/agent/messages/summary-pair";
import type { PromptSection } from "@/lib/agent/model";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import type { Database } from "@/lib/server/platform/db/database";
import { selectKnownPath, type ThreadPath } from "@/lib/server/platform/db/queries/paths";
import { loadMessages } from "./load-history";

/** A thread's path as the model knows it: after a compaction, a summary and the messages after the cut. */
export interface ModelHistory {
  /** The summary as two messages (`compaction.placement: pair`), otherwise empty. */
  readonly pair: readonly Message[];
  /** The summary as a section of the system prompt (`placement: system`), otherwise empty. */
  readonly system: readonly PromptSection[];
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** The summary's text; null before the first compaction. */
  readonly summary: string | null;
  readonly compactionCount: number;
}

/** The history of a run started without history (S3). */
export const NO_HISTORY: ModelHistory = { pair: [], system: [], messages: [], summary: null, compactionCount: 0 };

type Placement = AgentConfig["compaction"]["placement"];

/** The path as the model of a following run reads it. The caller has checked who may see the thread. */
export async function loadModelHistory(
  database: Database,
  path: ThreadPath,
  placement: Placement,
): Promise<ModelHistory> {
  const known = await selectKnownPath(database, path);
  const { cut, compactionCount } = known;
  const messages = await loadMessages(database, known);
  const summary = cut === null ? null : known.summary;
  return { ...place(summary, compactionCount, placement), messages, summary, compactionCount };
}

function place(summary: string | null, count: number, placement: Placement): Pick<ModelHistory, "pair" | "system"> {
  if (summary === null) return { pair: [], system: [] };
  return placement === "pair"
    ? { pair: summaryPair(summary, count), system: [] }
    : { pair: [], system: [summarySection(summary)] };
}
