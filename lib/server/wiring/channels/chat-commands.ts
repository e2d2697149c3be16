import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { cancelOpenRuns } from "@/lib/server/engine/ending/cancel";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { compactThread } from "@/lib/server/threads/compact-thread";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";

const COMMAND = /^\/(stopall|stop|new|compact|start|help)$/i;

type ChatCommand = "stop" | "stopall" | "new" | "compact" | "help";

/** The command a person typed instead of a message; null for a message. */
export function commandIn(text: string): ChatCommand | null {
  const name = COMMAND.exec(text.trim())?.[1]?.toLowerCase();
  if (name === undefined) return null;
  return name === "start" ? "help" : (name as ChatCommand);
}

type Say = (text: string) => Promise<void>;

/** `link.threadId` is the thread the command applies to. */
export async function runChatCommand(database: Database, command: ChatCommand, link: LinkRow, say: Say): Promise<void> {
  switch (command) {
    case "stop":
      return say(stopped(await stopChat(database, link)));
    case "stopall": {
      await dropWaiting(database, { triggerId: link.id });
      return say(stopped(await cancelOpenRuns(database, { ownerId: link.userId }, link.userId)));
    }
    case "new":
      await database.channelLink.update({ where: { id: link.id }, data: { threadId: null }, select: { id: true } });
      return say("The next message begins a new thread. The old one stays in the browser.");
    case "compact":
      // Not awaited because it calls a model and must not delay the updates after it.
      compact(link, say).catch((error: unknown) => logger().error({ err: error }, "could not compact a chat's thread"));
      return;
    default:
      return say(HELP);
  }
}

const HELP = [
  "Write what you want done. Besides that:",
  "/stop ends the run that answers here",
  "/stopall ends all your runs",
  "/new begins a new thread",
  "/compact summarises what was said so far",
].join("\n");

async function stopChat(database: Database, { id, threadId, userId }: LinkRow): Promise<number> {
  const dropped = await dropWaiting(database, { triggerId: id });
  if (threadId === null) return dropped;
  return dropped + (await cancelOpenRuns(database, { threadId, ownerId: userId }, userId));
}

/** Discards messages still waiting for a run because a group is busy. */
async function dropWaiting(database: Database, where: { readonly triggerId: string }): Promise<number> {
  const data = { state: "skipped", reason: "Stopped before it began.", prompt: null };
  const { count } = await database.firing.updateMany({ where: { ...where, state: "claimed" }, data });
  return count;
}

function stopped(count: number): string {
  if (count === 0) return "Nothing is running here.";
  return count === 1 ? "Stopped." : `Stopped ${count} runs.`;
}

async function compact({ threadId, userId }: LinkRow, say: Say): Promise<void> {
  if (threadId === null) return say("There is nothing to summarise yet.");
  try {
    const { compacted } = await compactThread(threadId, { id: userId }, loadCompaction);
    await say(compacted === 0 ? "There is nothing to summarise yet." : `${compacted} messages are summarised.`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await say(error.message);
  }
}
