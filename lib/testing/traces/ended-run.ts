import type { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";

const TOOK_MS = 5_000;

interface EndedRun {
  readonly input?: Partial<RunInput>;
  readonly rootRunId?: string;
  readonly traceId?: string;
  readonly endedAt?: Date;
  /** Leaves the model call's span open. */
  readonly isOpen?: boolean;
  readonly spans?: number;
  /** The text in its model call's span. */
  readonly preview?: string;
}

/** A run of the agent and thread of `seedThread` that has ended, with its spans and its place in the outbox. */
export async function addEndedRun(
  database: Database,
  id: string,
  { input, rootRunId, traceId = `tr_${id}`, isOpen = false, spans = 1, preview = "", ...run }: EndedRun = {},
): Promise<void> {
  const endedAt = run.endedAt ?? new Date();
  const startedAt = new Date(endedAt.getTime() - TOOK_MS);
  const version = await database.agentVersion.findFirstOrThrow();
  await database.run.create({
    data: {
      ...{ id, traceId, threadId: "th1", ownerId: "u1", agentId: "agent", agentVersionId: version.id },
      ...{ rootRunId: rootRunId ?? null, status: "completed", startedAt, endedAt, assistantMessageId: `msg_${id}` },
      input: JSON.stringify({ messages: [], transcriptPosition: 0, ...input }),
    },
  });
  const own = { traceId, runId: id, startedAt, endedAt };
  const attributes = { step: 1, model: "scripted:test", content_preview: preview, content_length: preview.length };
  await database.span.createMany({
    data: [
      {
        ...{ ...own, id: `sp_${id}`, type: "agent", name: "agent", status: "completed" },
        attributes: JSON.stringify({ agent_id: "agent", agent_version: 1, thread_id: "th1" }),
      },
      ...Array.from({ length: spans }, (_, index) => ({
        ...{ ...own, id: `sp_${id}_${index}`, parentId: `sp_${id}`, type: "llm", name: "llm.call" },
        ...{ status: isOpen ? "running" : "completed", endedAt: isOpen ? null : endedAt },
        attributes: JSON.stringify(attributes),
      })),
    ],
  });
  await database.traceExport.create({ data: { runId: id, traceId, endedAt, dueAt: endedAt } });
}
