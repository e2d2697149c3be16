import "server-only";
import type { AgUiBody, ClientMessage } from "@/lib/schema/apis/ag-ui";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { startInvocation } from "@/lib/server/apis/agents/invoke-agent";
import { lastReply } from "@/lib/server/apis/agents/last-reply";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { regenerate } from "@/lib/server/threads/branches/send-branch";
import { findClientThread } from "@/lib/server/threads/open-thread";
import { answerInterrupts } from "./answer-interrupts";
import { type FollowedRun, streamAgUi } from "./stream-ag-ui";

interface AgUiRequest {
  readonly agentId: string;
  /** By default the published version; a continued run keeps its own. */
  readonly version: string | undefined;
  readonly viewer: Viewer;
  readonly body: AgUiBody;
  readonly signal: AbortSignal;
}

/**
 * One run of AG-UI: the messages that the thread does not have yet, answers to interrupts, or the last message once
 * more. All refusals happen before the stream opens. Throws `conflict` or `not_waiting` for a second answer.
 */
export async function runAgUi(services: Services, request: AgUiRequest): Promise<Response> {
  const { body, viewer, agentId, version, signal } = request;
  await namedVersion(services, agentId, version, viewer);
  const place = `ag-ui ${viewer.id} ${agentId} ${body.threadId}`;
  const run = await services.database.exclusive(place, () => findOrStart(services, request));
  return streamAgUi(services, run, { threadId: body.threadId, runId: body.runId }, signal);
}

async function findOrStart(services: Services, request: AgUiRequest): Promise<FollowedRun> {
  const { body, viewer, agentId } = request;
  const { messages: sent, resume } = body;
  const thread = await findClientThread(services.database, { viewer, agentId }, body.threadId);
  const messages = thread ? afterKnown(sent, await knownIds(services.database, thread.id)) : sent;
  if (messages.length > 0) {
    if (resume?.some(({ status }) => status === "resolved")) throw invalidField("messages", ANSWER_FIRST);
    return startWith(services, request, messages);
  }
  if (!thread)
    throw resume?.length ? new AppError("not_found", "Thread not found.") : invalidField("messages", NOTHING_NEW);
  if (resume?.length) return answerInterrupts(services, { thread, viewer, resume });
  return answerAgain(services, request, thread.id);
}

const ANSWER_FIRST = "Answer the interrupts first, and send the message afterwards. Or cancel them with the message.";
const NOTHING_NEW = "There is no message that the thread does not have yet, and no answer to an interrupt.";

/** A new message declines what the thread's run still asks (D-53). */
async function startWith(
  services: Services,
  request: AgUiRequest,
  messages: readonly ClientMessage[],
): Promise<FollowedRun> {
  const { agentId, version, viewer, body } = request;
  const { runId } = await startInvocation(services, {
    ...{ agentId, version, viewer, idempotencyKey: undefined },
    body: {
      thread_id: body.threadId,
      messages: messages.map(({ role, content, pictures }) => ({ role, content, pictures })),
    },
    clientIds: messages.map(({ id }) => id),
  });
  return { runId, ownerId: viewer.id, after: 0 };
}

/** The last message once more, where a client has its answer no longer, or it came to nothing. */
async function answerAgain(services: Services, { body, viewer }: AgUiRequest, threadId: string): Promise<FollowedRun> {
  const { messageId, status } = await lastReply(services.database, threadId);
  if (body.messages.length === 0 && !FAILED.includes(status)) throw invalidField("messages", NOTHING_NEW);
  const { runId } = await regenerate(services, { threadId, messageId }, { sender: viewer }, {});
  return { runId, ownerId: viewer.id, after: 0 };
}

const FAILED: readonly string[] = ["failed", "interrupted", "cancelled"];

function afterKnown(messages: readonly ClientMessage[], known: ReadonlySet<string>): readonly ClientMessage[] {
  return messages.slice(messages.findLastIndex(({ id }) => known.has(id)) + 1);
}

/** A client repeats its whole thread, of which the last messages tell what is new. */
const READ_RUNS = 50;

/** The ids that the client gave to the messages of the thread's newest runs. */
async function knownIds(database: Database, threadId: string): Promise<Set<string>> {
  const runs = await database.run.findMany({
    where: { threadId, parentRunId: null },
    orderBy: { position: "desc" },
    take: READ_RUNS,
    select: { input: true },
  });
  return new Set(runs.flatMap(({ input }) => RunInput.parse(JSON.parse(input)).clientIds ?? []));
}
