import "server-only";
import type { ChatBody } from "@/lib/schema/apis/chat";
import { AppError } from "@/lib/schema/app-error";
import type { Decision } from "@/lib/schema/runs/interrupt";
import type { Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import type { Services } from "@/lib/server/platform/services";
import { regenerate } from "@/lib/server/threads/branches/send-branch";
import { findClientThread } from "@/lib/server/threads/open-thread";
import { streamRun } from "@/lib/server/views/stream-run";
import { streamAgent } from "./invoke-agent";
import { lastReply } from "./last-reply";
import { applyDecisions } from "./resume-agent";

interface Chat {
  readonly agentId: string;
  /** By default the published version; a continued run keeps its own. */
  readonly version: string | undefined;
  readonly viewer: Viewer;
  readonly body: ChatBody;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * One request of an AI SDK client: a message, answers to approvals, or a reply to write again. Answers with the run's
 * UI message stream. A client that disconnects can resume, so the run continues without it. Throws before the stream
 * opens.
 */
export async function chatWithAgent(services: Services, chat: Chat): Promise<Response> {
  const { trigger, id, messages } = chat.body;
  const [last] = messages;
  if (trigger === "regenerate-message") return answerAgain(services, chat);
  if (last === undefined) throw new AppError("invalid_input", "messages must not be empty");
  if (last.role === "user") {
    return streamAgent(services, { ...chat, body: { messages: [last], thread_id: id, detach: true } }, "chat");
  }
  const answers = last.parts.map(({ toolCallId, approval: { approved, reason } }): Decision => {
    const why = reason ? { reason } : {};
    return { tool_call_id: toolCallId, decision: approved ? "allow" : "deny", ...why };
  });
  return answerApprovals(services, chat, answers);
}

/** Applies the answers to calls that wait and streams what follows; answers to anything else are ignored. */
async function answerApprovals(services: Services, chat: Chat, answers: readonly Decision[]): Promise<Response> {
  const { viewer, signal } = chat;
  const thread = await requireChat(services, chat);
  const waiting = await services.database.approval.findMany({
    where: {
      threadId: thread.id,
      kind: "approval",
      status: "pending",
      toolCallId: { in: answers.map(({ tool_call_id: id }) => id) },
      run: { parentRunId: null, status: "waiting" },
    },
    select: { toolCallId: true, runId: true },
  });
  const open = new Map(waiting.map(({ toolCallId, runId }) => [toolCallId, runId]));
  const decisions = answers.flatMap((answer) => {
    const runId = open.get(answer.tool_call_id);
    return runId === undefined ? [] : [{ ...answer, run_id: runId }];
  });
  if (decisions.length === 0) {
    throw new AppError("not_waiting", "No call of this chat is waiting for one of these answers.");
  }
  const { run, after } = await applyDecisions(services, { thread, viewer, decisions });
  return streamRun(services, run, { format: "chat", cursor: after, signal });
}

async function answerAgain(services: Services, chat: Chat): Promise<Response> {
  const { viewer, body, idempotencyKey, signal } = chat;
  const thread = await requireChat(services, chat);
  const messageId = body.messageId ?? (await lastReply(services.database, thread.id)).messageId;
  const target = { threadId: thread.id, messageId };
  const { runId } = await regenerate(services, target, { sender: viewer, idempotencyKey }, {});
  return streamChatRun(services, runId, thread.clientId, signal);
}

async function requireChat(services: Services, { agentId, version, viewer, body: { id } }: Chat) {
  await namedVersion(services, agentId, version, viewer);
  const thread = await findClientThread(services.database, { viewer, agentId }, id);
  if (!thread) throw new AppError("not_found", "Thread not found.");
  return thread;
}

async function streamChatRun(
  services: Services,
  runId: string,
  clientThreadId: string,
  signal: AbortSignal,
): Promise<Response> {
  const { traceId } = await services.database.run.findUniqueOrThrow({
    where: { id: runId },
    select: { traceId: true },
  });
  return streamRun(
    services,
    { runId, traceId: shownTraceId(traceId), clientThreadId },
    { format: "chat", cursor: 0, signal },
  );
}
