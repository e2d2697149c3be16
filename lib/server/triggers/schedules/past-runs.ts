import "server-only";
import type { PastRun } from "@/lib/schema/triggers/firing";
import type { Database } from "@/lib/server/platform/db/database";
import type { FiringWithRun } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { toFiring } from "@/lib/server/triggers/firings";

/** How much of an answer is part of a list. */
const ANSWER_CHARS = 500;

/** Firings with what their runs answered, or why they failed. */
export async function withAnswers(database: Database, rows: readonly FiringWithRun[]): Promise<PastRun[]> {
  const runs = await database.run.findMany({
    where: { id: { in: rows.flatMap(({ runId }) => runId ?? []) } },
    select: { id: true, assistantMessageId: true, errorMessage: true, waitedMs: true },
  });
  const messages = await database.transcriptMessage.findMany({
    where: { id: { in: runs.map(({ assistantMessageId }) => assistantMessageId) } },
    select: { id: true, text: true },
  });
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const textOf = new Map(messages.map(({ id, text }) => [id, text]));
  return rows.map((row) => {
    const run = runOf.get(row.runId ?? "");
    const text = textOf.get(run?.assistantMessageId ?? "")?.trim() ?? "";
    const answer = text === "" ? null : text.slice(0, ANSWER_CHARS).toWellFormed();
    return { ...toFiring(row), answer, error: run?.errorMessage ?? null, waitedMs: run?.waitedMs ?? null };
  });
}
