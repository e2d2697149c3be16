import "server-only";
import type { AgentState, WireMessage } from "@/lib/schema/apis/invoke";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import { RunStatus } from "@/lib/schema/runs/run";
import { wireUsageNotes } from "@/lib/schema/runs/usage";
import type { Reader } from "@/lib/schema/users/user";
import { readInputOrNone } from "@/lib/server/engine/run-input";
import { loadHistory } from "@/lib/server/engine/transcript/load-history";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { writtenFiles } from "@/lib/server/files/written-files";
import type { Database } from "@/lib/server/platform/db/database";
import { selectKnownPath } from "@/lib/server/platform/db/queries/paths";
import { findClientThread } from "./open-thread";
import { providerOf, usageOfThread } from "./thread-usage";

/** S0's AgentState of the caller's thread: the full, untruncated history, including the input of open runs. */
export async function getThreadState(
  database: Database,
  agentId: string,
  clientId: string,
  viewer: Reader,
): Promise<AgentState> {
  const thread = await findClientThread(database, { viewer, agentId }, clientId);
  if (!thread) throw new AppError("not_found", "Thread not found.");
  const [history, { summary, compactionCount }, runs, todos, files] = await Promise.all([
    loadHistory(database, { threadId: thread.id }),
    selectKnownPath(database, { threadId: thread.id }),
    database.run.findMany({
      where: { threadId: thread.id, parentRunId: null },
      orderBy: [{ position: "asc" }, { id: "asc" }],
    }),
    loadTodos(database, { threadId: thread.id }),
    writtenFiles(database, { id: thread.id, agentId }),
  ]);
  const open = runs.filter(({ endedAt }) => endedAt === null);
  const pending = open.flatMap(({ input }) => readInputOrNone(input).messages);
  const usage = usageOfThread(thread, open);
  const last = runs.at(-1);
  return {
    thread_id: thread.clientId,
    messages: [...history, ...pending].map(toWireMessage),
    todos,
    files,
    summary,
    compaction_count: compactionCount,
    model: thread.model,
    provider: providerOf(thread.model),
    status: last ? RunStatus.parse(last.status) : null,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
      ...wireUsageNotes(usage),
      cost_usd: usage.costUsd,
    },
  };
}

function toWireMessage(message: Message): WireMessage {
  const { role, content } = message;
  switch (role) {
    case "assistant": {
      const calls = message.toolCalls.map((call) => ({ id: call.id, name: call.name, args: call.args }));
      return { role, content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    }
    case "tool":
      return { role, content, tool_call_id: message.toolCallId, name: message.name };
    default:
      return { role, content };
  }
}
