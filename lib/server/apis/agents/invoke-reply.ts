import "server-only";
import { ERROR_STATUS, type ErrorCode } from "@/lib/schema/app-error";
import { toWireInterrupt } from "@/lib/schema/interrupt";
import { InvokeReply, type InvokeReply as Reply } from "@/lib/schema/invoke";
import { RunStatus } from "@/lib/schema/run";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { openInTree } from "@/lib/server/engine/children/run-tree";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { writtenFiles } from "@/lib/server/files/written-files";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import type { ProjectedRun } from "@/lib/server/views/project-agents-api";

/**
 * The answer of `/invoke`: a run that ended in its regular way, or was cancelled, is a 200; a failed one has the
 * status of its error's code and says which run it was.
 */
export async function invokeReply(run: ProjectedRun): Promise<Response> {
  const db = database();
  const row = await db.run.findUniqueOrThrow({ where: { id: run.runId } });
  const status = RunStatus.parse(row.status);
  if (status === "failed" || status === "interrupted") return failedReply(run, row);
  const [events, todos, files, thread, open] = await Promise.all([
    readAllEvents(db, run.runId),
    loadTodos(db, row.threadId),
    writtenFiles(db, { id: row.threadId, agentId: row.agentId }),
    db.thread.findUniqueOrThrow({ where: { id: row.threadId }, select: { compactionCount: true } }),
    status === "waiting" ? openInTree(db, row) : [],
  ]);
  const { response, toolCalls } = summarize(events);
  const reply: Reply = {
    run_id: run.runId,
    trace_id: run.traceId,
    thread_id: run.clientThreadId,
    status,
    response: row.notice !== null && (status === "limit" || response === "") ? row.notice : response,
    tool_calls: toolCalls,
    todos,
    files,
    usage: {
      input_tokens: row.inputTokens,
      output_tokens: row.outputTokens,
      total_tokens: row.inputTokens + row.outputTokens,
      cost_usd: row.costUsd,
    },
    interrupted: status === "waiting",
    interrupts: open.map(toWireInterrupt),
    compaction_count: thread.compactionCount,
  };
  return json(reply, { schema: InvokeReply });
}

function failedReply(run: ProjectedRun, row: { errorCode: string | null; errorMessage: string | null }): Response {
  const code = row.errorCode !== null && row.errorCode in ERROR_STATUS ? (row.errorCode as ErrorCode) : "internal";
  const details = { run_id: run.runId, thread_id: run.clientThreadId, trace_id: run.traceId };
  const message = row.errorMessage ?? "The run failed.";
  return json({ error: { code, message, details }, status: "failed" }, { status: ERROR_STATUS[code] });
}

/** The last reply's text and the calls of the whole run, each with its result. */
function summarize(events: readonly StoredRunEvent[]): { response: string; toolCalls: Reply["tool_calls"] } {
  let response = "";
  const calls = new Map<string, Reply["tool_calls"][number]>();
  for (const { event } of events) {
    if (event.type === "model.completed") response = event.reply.content;
    if (event.type === "tool.call") {
      calls.set(event.call.id, { id: event.call.id, name: event.call.name, args: event.call.args });
    }
    if (event.type !== "tool.result") continue;
    const { toolCallId: id, name, output, error, forUser } = event.result;
    const told = forUser === undefined ? {} : { for_user: forUser };
    const call = calls.get(id) ?? { id, name, args: {} };
    calls.set(id, { ...call, output, ...(error === undefined ? {} : { error }), ...told });
  }
  return { response, toolCalls: [...calls.values()] };
}
