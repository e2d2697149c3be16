import "server-only";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { webStream } from "@/lib/server/http/web-stream";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { exportThread } from "@/lib/server/threads/export-thread";
import { getUser } from "@/lib/server/users/list-users";
import { nameInArchive, readFile, walk } from "./archive-folder";

interface UserExport {
  readonly name: string;
  readonly content: ReadableStream<Uint8Array>;
}

/**
 * A zip of all data of a person: `account.json`, `threads/<id>.json`, and `files/<agent>/…` with their files and
 * memory. Parts that can't be read are listed in `left-out.txt`. Each part is read only when its turn to be sent comes.
 * The export is audited. Throws `not_found`.
 */
export async function exportUser(services: Services, id: string, viewer: Viewer): Promise<UserExport> {
  const user = await getUser(services.database, id);
  if (!user) throw new AppError("not_found", "There is no such user.");
  const account = JSON.stringify({ ...user, ...(await belongings(services.database, id)) }, null, 2);
  await writeAudit(services, { actorId: viewer.id, action: "user.exported", target: `user:${id}` });
  const zip = new ZipFile();
  // A PassThrough, which the library's types don't declare.
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  zip.addBuffer(Buffer.from(`${account}\n`), "account.json");
  addParts(services, zip, id).catch((error: unknown) => zip.emit("error", error));
  return { name: `user-${id}`, content: webStream(output) };
}

async function belongings(database: Database, userId: string) {
  const [groups, apiKeys, grants, scores, notes, prompts, traceViews, alerts] = await Promise.all([
    database.groupMember.findMany({ where: { userId }, select: { group: { select: { name: true } } } }),
    database.apiKey.findMany({ where: { userId }, select: { name: true, createdAt: true, revokedAt: true } }),
    database.grant.findMany({
      where: { ownerId: userId },
      select: { threadId: true, tool: true, args: true, createdAt: true },
    }),
    database.score.findMany({
      where: { authorId: userId },
      select: { runId: true, name: true, value: true, why: true, createdAt: true },
    }),
    database.note.findMany({
      where: { authorId: userId },
      select: { trace: { select: { runId: true } }, spanId: true, text: true, createdAt: true },
    }),
    database.savedPrompt.findMany({
      where: { ownerId: userId },
      select: { name: true, description: true, text: true, createdAt: true },
    }),
    database.traceView.findMany({
      where: { ownerId: userId },
      select: { name: true, query: true, createdAt: true },
    }),
    database.alert.findMany({
      where: { ownerId: userId },
      select: { name: true, query: true, metric: true, threshold: true, windowMinutes: true, createdAt: true },
    }),
  ]);
  return {
    ...{ groups: groups.map(({ group }) => group.name), apiKeys, grants, scores, prompts, traceViews, alerts },
    notes: notes.map(({ trace: { runId }, ...note }) => ({ runId, ...note })),
  };
}

async function addParts(services: Services, zip: ZipFile, userId: string): Promise<void> {
  const where = { ownerId: userId, parentThreadId: null, deletedAt: null };
  for (const { id } of await services.database.thread.findMany({
    where,
    select: { id: true },
    orderBy: { createdAt: "asc" },
  })) {
    addLazily(zip, `threads/${id}.json`, () => readThread(services, id, userId));
  }
  const leftOut: string[] = [];
  const workspaces = await services.database.workspace.findMany({
    where: { ownerId: userId },
    select: { agentId: true, threadId: true },
    orderBy: { createdAt: "asc" },
  });
  for (const place of workspaces) {
    await addFiles(services.database, zip, { ...place, ownerId: userId }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      leftOut.push(`The files with the agent ${place.agentId}${ofThread(place.threadId)}: ${error.message}`);
    });
  }
  if (leftOut.length > 0) zip.addBuffer(Buffer.from(`${leftOut.join("\n")}\n`), "left-out.txt");
  zip.end();
}

const ofThread = (threadId: string | null) => (threadId === null ? "" : ` in the thread ${threadId}`);

async function* readThread(services: Services, id: string, ownerId: string): AsyncGenerator<string> {
  yield (await exportThread(services, id, { id: ownerId }, "json")).text;
}

interface Place {
  readonly agentId: string;
  readonly ownerId: string;
  readonly threadId: string | null;
}

async function addFiles(database: Database, zip: ZipFile, place: Place): Promise<void> {
  const { agentId, threadId } = place;
  const agent = await database.agent.findUnique({
    where: { id: agentId },
    select: { currentVersionId: true },
  });
  const { config } = await loadAgentVersion(database, agent?.currentVersionId ?? "");
  if (!config.backend) throw new AppError("not_found", "The agent has no workspace any more.");
  const scope = threadId === null ? "user" : "thread";
  const { workspace } = await openWorkspace(database, { ...config.backend, scope }, place);
  const folder = ["files", agentId, ...(threadId === null ? [] : [threadId])].join("/");
  for await (const { path } of walk(workspace, "")) {
    addLazily(zip, nameInArchive(`${folder}/${path}`), () => readFile(workspace, path));
  }
}

function addLazily(zip: ZipFile, name: string, read: () => AsyncIterable<string | Uint8Array>): void {
  zip.addReadStreamLazy(name, (give) => {
    const content = Readable.from(read(), { objectMode: false });
    content.once("error", (error) => zip.emit("error", error));
    give(null, content);
  });
}
