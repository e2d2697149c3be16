import "server-only";
import { InvokeReply, type InvokeReply as Reply } from "@/lib/schema/apis/invoke";
import { ERROR_STATUS, type ErrorCode } from "@/lib/schema/app-error";
import type { ToolCall } from "@/lib/schema/messages/message";
import { toWireInterrupt } from "@/lib/schema/runs/interrupt";
import { RunStatus } from "@/lib/schema/runs/run";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { ToolResult } from "@/lib/schema/tools/tool";
import { listOpenAsks } from "@/lib/server/engine/asks/list-open-asks";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { usageOfRow } from "@/lib/server/engine/run-row";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { writtenFiles } from "@/lib/server/files/written-files";
import { json } from "@/lib/server/http/reply";
import type { Database } from "@/lib/server/platform/db/database";
import { selectKnownPath } from "@/lib/server/platform/db/queries/paths";
import { type ProjectedRun, wireUsage } from "@/lib/server/views/project-agents-api";

/**
 * The answer of `/invoke`: 200 for a run that ended normally or was cancelled; for a failed run the status of its
 * error's code, and the run's id.
 */
export async function invokeReply(database: Database, run: ProjectedRun): Promise<Response> {
  const row = await database.run.findUniqueOrThrow({ where: { id: run.runId } });
  const status = RunStatus.parse(row.status);
  if (status === "failed" || status === "interrupted") return failedReply(run, row);
  const path = { threadId: row.threadId, leaf: row.id };
  const [events, todos, files, thread, open] = await Promise.all([
    readAllEvents(database, run.runId),
    loadTodos(database, path),
    writtenFiles(database, { id: row.threadId, agentId: row.agentId }),
    selectKnownPath(database, path),
    status === "waiting" ? listOpenAsks(database, row) : [],
  ]);
  const { response, defaultResponse, toolCalls } = summarize(events);
  const reply: Reply = {
    run_id: run.runId,
    trace_id: run.traceId,
    thread_id: run.clientThreadId,
    status,
    response: response || defaultResponse || (row.notice ?? ""),
    ...(row.notice === null ? {} : { notice: row.notice }),
    tool_calls: toolCalls,
    todos,
    files,
    usage: { ...wireUsage(usageOfRow(row)), cost_usd: row.costUsd },
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

/**
 * The last reply's text, or the replacement for a missing one, and the calls of the whole run, each with its result.
 */
function summarize(events: readonly StoredRunEvent[]) {
  let response = "";
  let defaultResponse: string | undefined;
  const calls = new Map<string, WireCall>();
  for (const { event } of events) {
    if (event.type === "model.completed") response = event.reply.content;
    else if (event.type === "run.completed") ({ defaultResponse } = event);
    else if (event.type === "tool.call") calls.set(event.call.id, wireCall(event.call));
    else if (event.type === "tool.result") keepResult(calls, event.result);
  }
  return { response, defaultResponse, toolCalls: [...calls.values()] };
}

type WireCall = Reply["tool_calls"][number];

function wireCall({ id, name, args }: ToolCall): WireCall {
  return { id, name, args };
}

function keepResult(calls: Map<string, WireCall>, { toolCallId: id, name, output, error, forUser }: ToolResult): void {
  calls.set(id, {
    ...(calls.get(id) ?? { id, name, args: {} }),
    output,
    ...(error === undefined ? {} : { error }),
    ...(forUser === undefined ? {} : { for_user: forUser }),
  });
}
