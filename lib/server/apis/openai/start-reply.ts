import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ResponseRequest } from "@/lib/schema/apis/responses";
import { type AppError, invalidField } from "@/lib/schema/app-error";
import type { ImageRef, Message } from "@/lib/schema/messages/message";
import { refuseLargeTexts } from "@/lib/schema/messages/text-limits";
import type { Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { keepPictures, type ReadPicture, readEarlierPictures, readPictures } from "@/lib/server/apis/pictures";
import { startRun } from "@/lib/server/engine/accept";
import { isLimitedStart } from "@/lib/server/engine/budgets/run-budget";
import { refuseBlockedInput } from "@/lib/server/engine/guard-input";
import { normalizeMessages, type SentInput } from "@/lib/server/engine/run-input";
import { toMessageColumns } from "@/lib/server/engine/transcript/load-history";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { COPIED } from "@/lib/server/platform/db/queries/paths";
import type { Services } from "@/lib/server/platform/services";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { openThread } from "@/lib/server/threads/open-thread";
import { unknownModel } from "./openai-error";
import { isEmpty, type ReadChat } from "./read-chat";

/** What a client of an OpenAI API asks an agent. */
export interface AskedReply {
  /** As written by the client: `agent:<id>`, or `agent:<id>@<version>`. */
  readonly model: string;
  readonly chat: readonly ReadChat[];
  /** The name that the messages have in the request. */
  readonly field: "messages" | "input";
  readonly place: ReplyPlace;
  /** For a response: its request, whose instructions are the agent's for this run. */
  readonly response?: ResponseRequest;
}

/**
 * Where the reply belongs. `new`: a thread created for this request, with the messages up to the last reply as its
 * history; swept after a day unless `isKept`. `named`: a thread of the client. `after`: behind the run of an earlier
 * response, on a branch of its own if its thread has gone on since. In both only the messages after the last reply are
 * appended.
 */
export type ReplyPlace =
  | { readonly kind: "new"; readonly isKept: boolean }
  | { readonly kind: "named"; readonly clientId: string }
  | {
      readonly kind: "after";
      readonly runId: string;
      readonly thread: { readonly id: string; readonly agentId: string; readonly projectId: string | null };
    };

/** A run that answers one request. */
export interface StartedReply {
  readonly runId: string;
  readonly model: string;
  readonly ownerId: string;
  /** The run is under a budget: its first call may be refused. */
  readonly isLimited: boolean;
}

/**
 * Starts the run that answers. Throws `not_found` for an unknown agent or model name, `invalid_input` if nothing
 * follows the last reply.
 */
export async function startReply(
  services: Services,
  asked: AskedReply,
  viewer: AgentViewer & Pick<Viewer, "keyId">,
): Promise<StartedReply> {
  const { database } = services;
  const { chat, place, field, response } = asked;
  const { id: ownerId, keyId: apiKeyId } = viewer;
  const { agentId, name } = agentOf(asked.model);
  if (place.kind === "after" && place.thread.agentId !== agentId) throw otherAgent(place.thread.agentId);
  const version = await namedVersion(services, agentId, name, viewer);
  await requireModelAccess(services, { ownerId, agentId });
  const instructions = instructionsOf(response, chat, version.config);
  const lastReply = chat.findLastIndex(({ role }) => role === "assistant");
  const pictures = await readAll(services, asked, lastReply, version.config);
  const messages = chat.slice(lastReply + 1).flatMap(toInput);
  if (chat.slice(lastReply + 1).every(isEmpty)) throw invalidField(field, NOTHING_ASKED);
  normalizeMessages(messages, version.config, field);
  const isNew = place.kind === "new";
  const told = [...instructions, ...(isNew ? chat.flatMap(toInput) : messages)];
  await refuseBlockedInput(database, { ownerId, version, messages: told });
  const threadId = await openPlace(database, place, viewer, agentId);
  const sent = await withPictures(database, threadId, chat, isNew ? pictures : onlyAfter(lastReply, pictures));
  if (isNew) await storeHistory(database, threadId, sent.slice(0, lastReply + 1));
  const { runId } = await startRun(database, {
    ownerId,
    agentId,
    threadId,
    messages: sent.slice(lastReply + 1).flatMap(toInput),
    canAsk: false,
    origin: "api",
    ...(name === undefined ? {} : { versionId: version.id }),
    ...(place.kind === "after" ? { branch: { afterRunId: place.runId } } : {}),
    ...(response ? { response } : {}),
    apiKeyId,
    access: accessOf(viewer),
  });
  const projectId = place.kind === "after" ? place.thread.projectId : null;
  const isLimited = await isLimitedStart(database, {
    agentId,
    config: version.config,
    ownerId,
    apiKeyId,
    projectId,
  });
  return { runId, model: asked.model, ownerId, isLimited };
}

function agentOf(model: string): { readonly agentId: string; readonly name: string | undefined } {
  const [, agentId, name] = /^agent:([^@]+)(?:@(.+))?$/.exec(model) ?? [];
  if (agentId) return { agentId, name };
  throw unknownModel(model);
}

function otherAgent(agentId: string): AppError {
  return invalidField("model", `The previous response is of agent:${agentId}, and only that agent can continue it.`);
}

const NOTHING_ASKED =
  "Nothing is asked: the last message must be the user's and say something. A reply that was begun can't be continued here.";

/** The instructions as a message to check; none if there are none. */
function instructionsOf(
  response: ResponseRequest | undefined,
  chat: readonly ReadChat[],
  config: AgentConfig,
): SentInput[] {
  const content = response?.instructions ?? null;
  if (content === null) return [];
  refuseLargeTexts([content, ...chat.map((message) => message.content)]);
  if (!config.allow_client_system_messages) throw invalidField("instructions", "This agent takes no system messages.");
  return [{ role: "system", content }];
}

async function openPlace(database: Database, place: ReplyPlace, viewer: AgentViewer, agentId: string): Promise<string> {
  if (place.kind === "after") return place.thread.id;
  const clientId = place.kind === "named" ? place.clientId : undefined;
  const options = { ephemeral: place.kind === "new" && !place.isKept };
  return (await openThread(database, { viewer, agentId }, clientId, options)).id;
}

/** A message with the pictures stored for it. */
type SentChat = ReadChat & { readonly images?: ImageRef[] };

async function withPictures(
  database: Database,
  threadId: string,
  chat: readonly ReadChat[],
  pictures: readonly (readonly ReadPicture[])[],
): Promise<SentChat[]> {
  return Promise.all(
    chat.map(async (message, index) => {
      const images = await keepPictures(database, threadId, pictures[index] ?? []);
      return images.length === 0 ? message : { ...message, images };
    }),
  );
}

/** The pictures of each message. Throws `invalid_input` for one after the last reply that no model accepts. */
async function readAll(
  services: Services,
  { chat, field }: AskedReply,
  lastReply: number,
  config: AgentConfig,
): Promise<ReadPicture[][]> {
  const asked = await readPictures(
    services,
    chat.map((message, index) => (index > lastReply ? message : { ...message, pictures: [] })),
    config,
    field,
  );
  const earlier = await readEarlierPictures(services, chat.slice(0, lastReply + 1), config);
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

/** The history comes before all runs of the thread, on every branch. */
async function storeHistory(database: Database, threadId: string, messages: readonly SentChat[]): Promise<void> {
  const rows = messages
    .filter((message) => !isEmpty(message))
    .map((message, index) => {
      const columns = toMessageColumns(toStored(message), () => createId("msg"));
      return { ...columns, threadId, runId: COPIED, position: index + 1 };
    });
  await database.message.createMany({ data: rows });
}

function toStored({ role, content, pictures, images = [] }: SentChat): Message {
  if (role === "assistant") return { role, content, toolCalls: [] };
  if (role !== "user") return { role, content };
  const told = withLosses({ role, content, pictures }, images.length);
  return { role, content: told, ...(images.length > 0 ? { images } : {}) };
}
