import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ChatCompletionBody } from "@/lib/schema/apis/openai";
import { AppError } from "@/lib/schema/app-error";
import type { ImageRef, Message } from "@/lib/schema/messages/message";
import type { Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { keepPictures, type ReadPicture, readEarlierPictures, readPictures } from "@/lib/server/apis/pictures";
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
import { unknownModel } from "./openai-error";
import { isEmpty, type ReadChat, readChat } from "./read-chat";

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
  const chat = readChat(body.messages);
  const lastReply = chat.findLastIndex(({ role }) => role === "assistant");
  const pictures = await readAll(chat, lastReply, version.config);
  const messages = chat.slice(lastReply + 1).flatMap(toInput);
  if (chat.slice(lastReply + 1).every(isEmpty)) throw invalid("messages", NOTHING_ASKED);
  normalizeMessages(messages, version.config);
  const clientId = body.metadata?.thread_id;
  const told = clientId === undefined ? chat.flatMap(toInput) : messages;
  await refuseBlockedInput(database(), { ownerId, version, messages: told });
  const thread = await openThread(database(), { viewer, agentId }, clientId, { ephemeral: clientId === undefined });
  const sent = await withPictures(thread.id, chat, clientId === undefined ? pictures : onlyAfter(lastReply, pictures));
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
  throw unknownModel(model);
}

const NOTHING_ASKED =
  "Nothing is asked: the last message must be the user's and say something. A reply that was begun can't be continued here.";

/** A message with the pictures stored for it. */
type SentChat = ReadChat & { readonly images?: ImageRef[] };

async function withPictures(
  threadId: string,
  chat: readonly ReadChat[],
  pictures: readonly (readonly ReadPicture[])[],
): Promise<SentChat[]> {
  return Promise.all(
    chat.map(async (message, index) => {
      const images = await keepPictures(threadId, pictures[index] ?? []);
      return images.length === 0 ? message : { ...message, images };
    }),
  );
}

/** The pictures of each message. Throws `invalid_input` for one after the last reply that no model accepts. */
async function readAll(chat: readonly ReadChat[], lastReply: number, config: AgentConfig): Promise<ReadPicture[][]> {
  const asked = await readPictures(
    chat.map((message, index) => (index > lastReply ? message : { ...message, pictures: [] })),
    config,
  );
  const earlier = await readEarlierPictures(chat.slice(0, lastReply + 1), config);
  return asked.map((own, index) => earlier[index] ?? own);
}

/** Names the pictures that were sent and can't be shown. */
function withLosses({ content, pictures }: ReadChat, kept: number): string {
  const lost = pictures.length - kept;
  const note = lost === 1 ? "[A picture that can't be shown.]" : `[${lost} pictures that can't be shown.]`;
  return lost === 0 ? content : [content, note].filter((line) => line !== "").join("\n");
}

/** Omits the pictures of messages that are already stored in the thread. */
function onlyAfter(last: number, pictures: readonly (readonly ReadPicture[])[]): (readonly ReadPicture[])[] {
  return pictures.map((own, index) => (index > last ? own : []));
}

function toInput({ role, content, images }: SentChat): SentInput[] {
  if (role === "assistant" || (content.trim() === "" && !images)) return [];
  return [{ role, content, ...(images ? { images } : {}) }];
}

async function storeHistory(threadId: string, messages: readonly SentChat[]): Promise<void> {
  const rows = messages
    .filter((message) => !isEmpty(message))
    .map((message, index) => {
      const columns = toMessageColumns(toStored(message), () => createId("msg"));
      return { ...columns, threadId, runId: "client", position: index + 1 };
    });
  await database().message.createMany({ data: rows });
}

function toStored({ role, content, pictures, images = [] }: SentChat): Message {
  if (role === "assistant") return { role, content, toolCalls: [] };
  if (role !== "user") return { role, content };
  const told = withLosses({ role, content, pictures }, images.length);
  return { role, content: told, ...(images.length > 0 ? { images } : {}) };
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_input", `${path}: ${message}`, { details: [{ path, message }] });
}
