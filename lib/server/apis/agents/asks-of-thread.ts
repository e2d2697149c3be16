import "server-only";
import type { Decision } from "@/lib/schema/runs/interrupt";
import type { Database } from "@/lib/server/platform/db/database";

/** An ask, open or not, of a run of a thread or of one of its subagents. */
export interface AskOfThread {
  readonly toolCallId: string;
  readonly runId: string;
  readonly rootRunId: string;
  readonly isOpen: boolean;
  /** When it was decided; while it is open, when it was asked. */
  readonly changedAt: Date;
}

/** The asks of the thread that the decisions are about, the open ones last. */
export async function asksOfThread(
  database: Database,
  threadId: string,
  decisions: readonly Decision[],
): Promise<AskOfThread[]> {
  const rows = await database.approval.findMany({
    where: {
      toolCallId: { in: decisions.map(({ tool_call_id: id }) => id) },
      OR: [{ threadId }, { run: { thread: { parentThreadId: threadId } } }],
    },
    // "pending" sorts after every other status.
    orderBy: [{ status: "asc" }, { createdAt: "asc" }, { id: "asc" }],
    select: {
      toolCallId: true,
      runId: true,
      status: true,
      createdAt: true,
      decidedAt: true,
      run: { select: { rootRunId: true } },
    },
  });
  return rows.map(({ toolCallId, runId, status, createdAt, decidedAt, run }) => ({
    toolCallId,
    runId,
    rootRunId: run.rootRunId ?? runId,
    isOpen: status === "pending",
    changedAt: decidedAt ?? createdAt,
  }));
}

/** Whether the decision is about the ask. */
export function isAbout({ tool_call_id: id, run_id: runId }: Decision, ask: AskOfThread): boolean {
  return ask.toolCallId === id && (runId === undefined || runId === ask.runId);
}
