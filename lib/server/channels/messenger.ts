import "server-only";
import { createHash } from "node:crypto";
import type { ToolExecution, ToolOutput } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { answersChat, OriginDetails } from "@/lib/schema/runs/run";
import { rootThreadId } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { openThreadFiles } from "@/lib/server/file-access/user-files";
import { storeBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { whyNotRead } from "@/lib/server/tools/unattended-call";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { findLastLink } from "@/lib/server/triggers/channels/links/last-link";
import { queueMessage } from "@/lib/server/triggers/channels/queue-message";
import type { Messenger } from "@/lib/tools/message";

/** The limit per message that every service accepts. */
const MAX_FILE_BYTES = 20_000_000;

/** Sends only to the linked chats of the run's owner. */
export async function messengerOf(services: Services, run: ClaimedRun, config: AgentConfig): Promise<Messenger> {
  const { database } = services;
  const links = await database.channelLink.findMany({
    where: { userId: run.ownerId, channel: { enabled: true } },
    orderBy: [{ lastUsedAt: { sort: "desc", nulls: "last" } }, { id: "desc" }],
    take: 20,
  });
  // A step's calls run side by side: their messages are queued one after the other, in the order of the calls.
  let before: Promise<unknown> = Promise.resolve();
  let lastMs = 0;
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = before.then(work);
    before = result.catch(() => undefined);
    return result;
  };
  return {
    chats: links.map(({ chatName, chatKind }) => ({ name: chatName, isGroup: chatKind === "group" })),
    send: ({ text, to, files }, { call }: ToolExecution): Promise<ToolOutput> =>
      inTurn(async () => {
        const link = await linkFor(database, run, links, to);
        if (link === "thread")
          return { output: JSON.stringify({ delivered_to: "thread", state: "shown" }), forUser: text };
        const id = `dlv_${createHash("sha256").update(`${run.id}\n${call.id}`).digest("hex").slice(0, 32)}`;
        for (const file of files) await requireSendable(config, file, run);
        const sent = await readFiles(services, run, files);
        lastMs = Math.max(Date.now(), lastMs + 1);
        const said = { text, files: sent, createdAt: new Date(lastMs) };
        await queueMessage(database, { id, runId: run.id, ownerId: run.ownerId, link: link.id, ...said });
        // A repeat of the call finds it sent already.
        const row = await database.delivery.findUnique({ where: { id }, select: { state: true } });
        return { output: JSON.stringify({ delivered_to: link.chatName, state: row?.state ?? "pending" }) };
      }),
  };
}

/** Throws an error that says what to do instead. */
async function linkFor(
  database: Database,
  run: ClaimedRun,
  links: readonly LinkRow[],
  to: string,
): Promise<LinkRow | "thread"> {
  if (to === "thread") return "thread";
  if (to === "origin") return (await originOf(database, run, links)) ?? "thread";
  const link =
    to === "last" ? await findLastLink(database, run.ownerId) : links.find(({ chatName }) => chatName === to);
  if (link) return link;
  const names = links.map(({ chatName }) => chatName).join(", ");
  throw new AppError(
    "not_found",
    names === ""
      ? "The user has linked no chat. Use to: thread, or say it in your reply."
      : `There is no linked chat of that name. There are: ${names}. Or use to: thread.`,
  );
}

/** The chat that the run, or the run that started it, came from. */
async function originOf(
  database: Database,
  { id, rootRunId }: ClaimedRun,
  links: readonly LinkRow[],
): Promise<LinkRow | undefined> {
  const root = await database.run.findUnique({
    where: { id: rootRunId ?? id },
    select: { origin: true, originDetails: true },
  });
  if (root === null || !answersChat(root)) return undefined;
  const { triggerId } = OriginDetails.parse(JSON.parse(root.originDetails));
  return links.find((link) => link.id === triggerId);
}

/** Files that the agent may not read without asking can't be sent either. */
async function requireSendable(config: AgentConfig, file: string, run: ClaimedRun): Promise<void> {
  const place = { agentId: run.agentId, userId: run.ownerId, threadId: run.threadId, runId: run.id };
  if ((await whyNotRead(config, file, place)) === null) return;
  throw new AppError("forbidden", `You may not read ${file}, so it can't be sent. Leave it out.`);
}

/** The current content of the files, stored by its hash. Throws for a path that is no file. */
async function readFiles(services: Services, run: ClaimedRun, paths: readonly string[]) {
  if (paths.length === 0) return [];
  const { workspace, normalize } = await openThreadFiles(services, await rootThreadId(services.database, run), {
    id: run.ownerId,
  });
  const files: { name: string; hash: string }[] = [];
  for (const given of paths) {
    const { bytes, sizeBytes } = await workspace.read(normalize(given), MAX_FILE_BYTES);
    if (sizeBytes > MAX_FILE_BYTES) throw new Error(`${given} is larger than 20 MB. Send a smaller file.`);
    files.push({ name: given.split("/").at(-1) ?? given, hash: await storeBlob(services.database, bytes) });
  }
  return files;
}
