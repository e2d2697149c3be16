import type { ChildRun } from "@/lib/agent/subagents";
import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { addSpending, NO_SPENDING, type Spending, unknownSpending } from "@/lib/schema/runs/usage";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { usageOfRow } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";

const MAX_LINE_CHARS = 200;

/** A run's progress, folded from its event rows in order. */
export interface ChildProgress {
  text: string;
  spent: Spending;
  /** Ids of the run's tool calls; in logs of earlier versions a call that waited appears twice. */
  readonly calls: Set<string>;
}

export function newProgress(): ChildProgress {
  return { text: "", spent: NO_SPENDING, calls: new Set() };
}

/** Folds in the next row; only the end of the text is kept. */
export function foldProgress(progress: ChildProgress, { event }: StoredRunEvent): void {
  if (event.type === "model.started" || event.type === "step.reset") progress.text += "\n";
  if (event.type === "text.delta") progress.text += event.delta;
  if (event.type === "tool.call") {
    progress.text += `\n${event.call.name}`;
    progress.calls.add(event.call.id);
  }
  if (event.type === "model.completed") progress.spent = addSpending(progress.spent, event.reply);
  if (event.type === "usage.unknown") progress.spent = addSpending(progress.spent, unknownSpending(event.estimate));
  if (event.type === "summary.completed") progress.spent = addSpending(progress.spent, event);
  if (event.type === "subagent.completed") progress.spent = addSpending(progress.spent, event);
  if (progress.text.length > 4 * MAX_LINE_CHARS) progress.text = progress.text.slice(-2 * MAX_LINE_CHARS);
}

/** The last line that is not empty, truncated to what a card shows. */
export function lastLineOf(text: string): string {
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS - 1).toWellFormed()}…`;
}

/** The child run with this id, as its parent sees it. */
export async function describeChild(database: Database, row: ClaimedRun): Promise<ChildRun> {
  const status = RunStatus.parse(row.status);
  const delegate = row.origin === "delegation" ? { delegate: { version: await numberOf(database, row) } } : {};
  const base = { runId: row.id, name: row.subagentName ?? row.agentId, status, ...delegate };
  if (!hasEnded(status)) {
    const progress = newProgress();
    for (const event of await readAllEvents(database, row.id)) foldProgress(progress, event);
    const lastLine = lastLineOf(progress.text);
    const { spent, calls } = progress;
    const unknown = { result: null, error: null, durationMs: null };
    return { ...base, lastLine, ...unknown, calls: calls.size, usage: spent.usage, costUsd: spent.costUsd };
  }
  const [answer, calls] = await Promise.all([
    finalAnswer(database, row.id),
    database.message.count({ where: { runId: row.id, role: "tool" } }),
  ]);
  const error = row.errorMessage;
  const lastLine = lastLineOf(error ?? answer);
  const { startedAt, endedAt, costUsd } = row;
  const durationMs = startedAt && endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : null;
  return { ...base, lastLine, result: answer, error, calls, durationMs, usage: usageOfRow(row), costUsd };
}

/** Null for a draft, and for a version that is gone. */
async function numberOf(database: Database, { agentVersionId: id }: ClaimedRun): Promise<number | null> {
  const row = await database.agentVersion.findUnique({ where: { id }, select: { number: true } });
  return row?.number ?? null;
}

/** The run's final text; empty if it ended with a tool call or without text. */
async function finalAnswer(database: Database, runId: string): Promise<string> {
  const last = await database.message.findFirst({
    where: { runId },
    orderBy: { position: "desc" },
    select: { role: true, content: true },
  });
  return last?.role === "assistant" ? last.content : "";
}
