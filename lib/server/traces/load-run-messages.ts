import "server-only";
import { foldJournal } from "@/lib/agent/journal";
import type { Message } from "@/lib/schema/messages/message";
import { RunEvent } from "@/lib/schema/runs/run-event";
import { RunInput } from "@/lib/server/engine/run-input";
import { toMessage } from "@/lib/server/engine/transcript/load-history";
import type { Database } from "@/lib/server/platform/db/database";
import { UNDO_PREFIX } from "./undo/undo-targets";

/** The messages that one run added to its thread, and where the history before it ends. */
export interface RunMessages {
  readonly messages: readonly Message[];
  /** How to find the thread's earlier messages: those before a position, or stored before the run began. */
  readonly history: { threadId: string; position?: { lt: number }; createdAt?: { lt: Date } };
}

interface RunPointers {
  readonly id: string;
  readonly threadId: string;
  readonly input: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
}

/** From the stored messages of an ended run, otherwise from its events so far. */
export async function loadRunMessages(db: Database, run: RunPointers): Promise<RunMessages> {
  // The line of an undo stands behind a run's messages, and is of a later time.
  const own = { runId: run.id, NOT: { id: { startsWith: UNDO_PREFIX } } };
  const rows = await db.message.findMany({ where: own, orderBy: { position: "asc" } });
  const first = rows[0];
  if (first) {
    return { messages: rows.map(toMessage), history: { threadId: run.threadId, position: { lt: first.position } } };
  }
  const before = { threadId: run.threadId, createdAt: { lt: run.startedAt ?? run.createdAt } };
  return { messages: await messagesFromEvents(db, run), history: before };
}

async function messagesFromEvents(db: Database, run: RunPointers): Promise<Message[]> {
  const rows = await db.runEvent.findMany({
    where: { runId: run.id, type: { in: ["model.completed", "tool.call", "tool.result"] } },
    orderBy: { seq: "asc" },
    select: { data: true },
  });
  const journal = foldJournal(rows.map((row) => RunEvent.parse(JSON.parse(row.data))));
  const answers = journal.flatMap(({ reply, results }): Message[] => [
    { role: "assistant", content: reply.content, toolCalls: reply.toolCalls, reasoning: reply.reasoning },
    ...reply.toolCalls.flatMap((call): Message[] => {
      const result = results.get(call.id);
      if (!result) return [];
      const isError = result.error !== undefined;
      const content = result.error ?? result.output;
      return [{ role: "tool", name: call.name, toolCallId: call.id, content, isError }];
    }),
  ]);
  return [...RunInput.parse(JSON.parse(run.input)).messages, ...answers];
}

/** How many messages the thread had before the run. */
export async function countHistory(db: Database, { history }: RunMessages): Promise<number> {
  return db.message.count({ where: history });
}
