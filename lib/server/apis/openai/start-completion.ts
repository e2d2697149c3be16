import "server-only";
import type { ChatCompletionBody, ChatMessage } from "@/lib/schema/apis/openai";
import { AppError } from "@/lib/schema/app-error";
import type { ImageRef, Message } from "@/lib/schema/messages/message";
import type { Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { keepPictures, type ReadPicture, readPictures } from "@/lib/server/apis/pictures";
import { startRun } from "@/lib/server/engine/accept";
import { isLimitedStart } from "@/lib/server/engine/budgets/run-budget";
import { refuseBlockedInput } from "@/lib/server/engine/guard-input";
import { normalizeMessages, type SentInput } from "@/lib/server/engine/run-input";
import { toMessageColumns } from "@/lib/server/engine/transcript/load-history";
import { createId } from "@/lib/server/platform/create-id";
import { database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { openThread } from "@/lib/server/threads/open-thread";

/** A run that answers one completion. */
export interface StartedCompletion {
  readonly runId: string;
  /** As written by the client: `agent:<id>`, or `agent:<id>@<version>`. */
  readonly model: string;
  readonly ownerId: string;
  /** The run is under a budget: its first call may be refused. */
  readonly isLimited: boolean;
}

/**
 * Starts the run of a completion. Without `metadata.thread_id`, the messages up to the last reply become the history of
 * a thread created for this request, which is swept after a day; with it, only the messages after that reply are
 * appended. Throws `not_found` for an unknown agent or model name, `invalid_input` if nothing follows the last reply.
 */
export async function startCompletion(
  body: ChatCompletionBody,
  viewer: AgentViewer & Pick<Viewer, "keyId">,
): Promise<StartedCompletion> {
  const { id: ownerId, keyId: apiKeyId } = viewer;
  const { agentId, name } = agentOf(body.model);
  const version = await namedVersion(agentId, name, viewer);
  await requireModelAccess({ ownerId, agentId });
  const pictures = await readPictures(body.messages, version.config);
  const lastReply = body.messages.findLastIndex(({ role }) => role === "assistant");
  const messages = body.messages.slice(lastReply + 1).flatMap(toInput);
  if (!messages.some(({ role }) => role === "user")) {
    throw invalid("messages", "The last message must be the user's.");
  }
  normalizeMessages(messages, version.config);
  const told = body.metadata?.thread_id === undefined ? body.messages.flatMap(toInput) : messages;
  await refuseBlockedInput(database(), { ownerId, version, messages: told });
  const clientId = body.metadata?.thread_id;
  const thread = await openThread(database(), { viewer, agentId }, clientId, { ephemeral: clientId === undefined });
  const sent = await withPictures(
    thread.id,
    body.messages,
    clientId === undefined ? pictures : onlyAfter(lastReply, pictures),
  );
  if (clientId === undefined) await storeHistory(thread.id, sent.slice(0, lastReply + 1));
  const { runId } = await startRun(database(), {
    ownerId,
    agentId,
    threadId: thread.id,
    messages: sent.slice(lastReply + 1).flatMap(toInput),
    canAsk: false,
    origin: "api",
    ...(name === undefined ? {} : { versionId: version.id }),
    apiKeyId,
    access: accessOf(viewer),
  });
  const isLimited = await isLimitedStart(database(), { agentId, config: version.config, ownerId, apiKeyId });
  return { runId, model: body.model, ownerId, isLimited };
}

function agentOf(model: string): { readonly agentId: string; readonly name: string | undefined } {
  const [, agentId, name] = /^agent:([^@]+)(?:@(.+))?$/.exec(model) ?? [];
  if (agentId) return { agentId, name };
  throw new AppError(
    "not_found",
    `There is no model "${model}". Models are named agent:<id> or agent:<id>@<alias>; GET /v1/models lists them.`,
  );
}

/** A message with the pictures stored for it. */
type SentChat = ChatMessage & { readonly images?: ImageRef[] };

async function withPictures(
  threadId: string,
  messages: readonly ChatMessage[],
  pictures: readonly (readonly ReadPicture[])[],
): Promise<SentChat[]> {
  return Promise.all(
    messages.map(async (message, index) => {
      const images = await keepPictures(threadId, pictures[index] ?? []);
      return images.length === 0 ? message : { ...message, images };
    }),
  );
}

/** Omits the pictures of messages that are already stored in the thread. */
function onlyAfter(last: number, pictures: readonly (readonly ReadPicture[])[]): (readonly ReadPicture[])[] {
  return pictures.map((own, index) => (index > last ? own : []));
}

function toInput(message: SentChat): SentInput[] {
  if (message.role === "assistant" || !message.content) return [];
  const { content, images } = message;
  return [{ role: message.role === "user" ? "user" : "system", content, ...(images ? { images } : {}) }];
}

async function storeHistory(threadId: string, messages: readonly SentChat[]): Promise<void> {
  const rows = messages.map((message, index) => {
    const columns = toMessageColumns(toStored(message), () => createId("msg"));
    return { ...columns, threadId, runId: "client", position: index + 1 };
  });
  await database().message.createMany({ data: rows });
}

function toStored({ role, content, images }: SentChat): Message {
  const text = content ?? "";
  if (role === "assistant") return { role, content: text, toolCalls: [] };
  if (role !== "user") return { role: "system", content: text };
  return { role, content: text, ...(images ? { images } : {}) };
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_input", `${path}: ${message}`, { details: [{ path, message }] });
}
