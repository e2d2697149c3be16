import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Todo } from "@/lib/schema/runs/todo";
import type { ForkThreadBody } from "@/lib/schema/threads/thread-requests";
import type { Reader } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { RunInput } from "@/lib/server/engine/run-input";
import { NO_TRACE } from "@/lib/server/engine/trace-id";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { configInPlace, type FilePlace } from "@/lib/server/engine/workspace-scope";
import { copyBetweenThreads } from "@/lib/server/files/copy-workspace";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { selectMessages, selectTranscript, type TranscriptRow } from "@/lib/server/platform/db/queries/messages";
import { COPIED, selectKnownPath } from "@/lib/server/platform/db/queries/paths";
import { requireWritableThread } from "@/lib/server/threads/thread-row";
import { loadBranchTree } from "./branch-summary";

const EVERYTHING = { from: 0, before: 2_147_483_647 };

/**
 * Creates a thread for the person with everything on the branch up to and including this message, as read by the model
 * and by people; a summary is copied if it covers nothing after the message. Throws `not_found`, and `conflict` for a
 * reply that is still being written.
 */
export async function forkThread(
  database: Database,
  threadId: string,
  viewer: Reader,
  body: ForkThreadBody,
): Promise<string> {
  const thread = await requireWritableThread(database, threadId, viewer);
  const { messageId, carry } = body;
  const run = (await loadBranchTree(database, threadId)).runOf(messageId);
  const path = { threadId, isBranched: true, leaf: run?.id ?? null };
  const all = await selectTranscript(database, path, { ownerId: thread.ownerId, ...EVERYTHING });
  const at = all.findIndex(({ id }) => id === messageId);
  if (at === -1) throw run ? conflict(STILL_WRITTEN) : new AppError("not_found", "Message not found.");
  const shown = all.slice(0, at + 1);
  const messages = await saidUntil(database, path, shown, all.slice(at + 1));
  const summary = await selectKnownPath(database, path);
  const todos = carry?.todos ? await loadTodos(database, path) : [];
  const id = createId("th");
  const copies = new Map(messages.map((message) => [message.id, createId("msg")]));
  const cutMessageId = copies.get(summary.cutMessageId ?? "") ?? null;
  const now = new Date();
  const copied = { threadId: id, runId: COPIED, createdAt: now };
  await database.$transaction([
    database.thread.create({
      data: {
        id,
        ownerId: viewer.id,
        agentId: thread.agentId,
        clientId: id,
        title: thread.title === null ? null : forkTitle(thread.title),
        projectId: thread.projectId,
        fileScope: thread.fileScope,
        isTest: thread.isTest,
        ephemeral: thread.isTest,
        compactionCount: cutMessageId === null ? 0 : summary.compactionCount,
      },
    }),
    database.message.createMany({
      data: messages.map((message) => ({ ...message, ...copied, id: copies.get(message.id) ?? createId("msg") })),
    }),
    database.transcriptMessage.createMany({
      data: shown.map((message) => ({ ...message, ...copied, id: copies.get(message.id) ?? createId("msg") })),
    }),
    ...(cutMessageId === null
      ? []
      : [
          database.compaction.create({
            data: {
              id: createId("cmp"),
              threadId: id,
              afterRunId: COPIED,
              cutMessageId,
              summary: summary.summary,
              count: summary.compactionCount,
            },
          }),
        ]),
    database.threadImage.createMany({ data: await imagesOf(database, threadId, id) }),
    ...(todos.length === 0 || !run ? [] : await planStatements(database, id, run.id, todos)),
  ]);
  if (carry?.files && thread.ownerId === viewer.id) await carryFiles(database, thread, id);
  announceToUser(viewer.id, { type: "thread.changed", threadId: id });
  return id;
}

const STILL_WRITTEN = "This reply has not ended yet. Fork when it has, or from the message before it.";

/** The messages the model read up to the last of the shown messages. */
async function saidUntil(
  database: Database,
  path: Parameters<typeof selectMessages>[1],
  shown: readonly TranscriptRow[],
  rest: readonly TranscriptRow[],
) {
  const said = await selectMessages(database, path, -1);
  const last = shown.at(-1);
  if (last?.role === "user") {
    const end = said.findIndex(({ id }) => id === last.id);
    if (end === -1) throw conflict("This message is still being answered. Fork when the reply has ended.");
    return said.slice(0, end + 1);
  }
  const next = rest.find(({ role }) => role === "user");
  const end = next ? said.findIndex(({ id }) => id === next.id) : -1;
  return end === -1 ? said : said.slice(0, end);
}

async function imagesOf(database: Database, threadId: string, forkId: string) {
  const images = await database.threadImage.findMany({ where: { threadId } });
  return images.map((image) => ({ ...image, threadId: forkId }));
}

/**
 * A plan belongs to a run: here to an ended run before the fork's first one, which does not count as a run of the fork.
 */
async function planStatements(database: Database, threadId: string, runId: string, todos: readonly Todo[]) {
  const { ownerId, agentId, agentVersionId } = await database.run.findUniqueOrThrow({ where: { id: runId } });
  const id = createId("run");
  const input: RunInput = { messages: [], transcriptPosition: 0 };
  return [
    database.run.create({
      data: {
        id,
        threadId,
        ownerId,
        agentId,
        agentVersionId,
        traceId: NO_TRACE,
        status: "completed",
        depth: 1,
        input: JSON.stringify(input),
        assistantMessageId: createId("msg"),
        position: 1,
        costUsd: 0,
        todos: JSON.stringify(todos),
        endedAt: new Date(),
        isReported: true,
      },
    }),
    database.thread.update({ where: { id: threadId }, data: { leafRunId: id } }),
  ];
}

async function carryFiles(
  database: Database,
  { id, agentId, ownerId, ...place }: FilePlace & Record<"id" | "agentId" | "ownerId", string>,
  forkId: string,
): Promise<void> {
  const version = await loadCurrentVersion(database, agentId, accessOfOwner(ownerId));
  const config = configInPlace(version.config, place);
  if (config.backend?.scope !== "thread") return;
  await copyBetweenThreads(database, config.backend, { agentId, ownerId, from: id, to: forkId });
}

function conflict(message: string): AppError {
  return new AppError("conflict", message);
}

const FORK = " (fork)";

/** Two threads of one title can't be told apart in a list. */
function forkTitle(title: string): string {
  return title.endsWith(FORK) ? title : title + FORK;
}
