import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { stopRuns } from "@/lib/server/engine/held/stop-runs";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { compactThread } from "@/lib/server/threads/compact-thread";
import type { Button } from "@/lib/server/triggers/channels/channel";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { holdClaimed } from "@/lib/server/triggers/start-claimed";
import { ownHeld } from "./press-held";
import type { ChannelPorts } from "./received";

const COMMAND = /^\/(stopall|stop|new|compact|start|help)$/i;

type ChatCommand = "stop" | "stopall" | "new" | "compact" | "help";

/** The command a person typed instead of a message; null for a message. */
export function commandIn(text: string): ChatCommand | null {
  const name = COMMAND.exec(text.trim())?.[1]?.toLowerCase();
  if (name === undefined) return null;
  return name === "start" ? "help" : (name as ChatCommand);
}

interface Commanded {
  readonly ports: ChannelPorts;
  /** With the thread that the command applies to. */
  readonly link: LinkRow;
  /** Whether button presses arrive from the chat. */
  readonly canPress: boolean;
  readonly say: (text: string, buttons?: readonly Button[]) => Promise<void>;
}

export async function runChatCommand(services: Services, command: ChatCommand, commanded: Commanded): Promise<void> {
  const { ports, link, say } = commanded;
  switch (command) {
    case "stop":
    case "stopall":
      return stopChat(services, command, commanded);
    case "new":
      await services.database.channelLink.update({
        where: { id: link.id },
        data: { threadId: null },
        select: { id: true },
      });
      return say("The next message begins a new thread. The old one stays in the browser.");
    case "compact":
      // Not awaited because it calls a model and must not delay the updates after it.
      compact(services, ports, link, say).catch((error: unknown) =>
        logger().error({ err: error }, "could not compact a chat's thread"),
      );
      return;
    default:
      return say(HELP);
  }
}

const HELP = [
  "Write what you want done. Besides that:",
  "/stop ends the run that answers here and holds what you wrote after it",
  "/stopall ends all your runs",
  "/new begins a new thread",
  "/compact summarises what was said so far",
].join("\n");

/** Stops, and says what was held with the buttons that send and drop it (D-96). */
async function stopChat(
  services: Services,
  command: "stop" | "stopall",
  { link, canPress, say }: Commanded,
): Promise<void> {
  const { id, threadId, userId } = link;
  await holdClaimed(services, id, new Date());
  const which = command === "stopall" ? { ownerId: userId } : threadId === null ? null : { threadId, ownerId: userId };
  const { cancelled, held: heldNow = 0 } =
    which === null ? { cancelled: 0 } : await stopRuns(services.database, which, userId);
  const here = threadId === null ? 0 : (await ownHeld(services.database, threadId, userId)).length;
  const held = Math.max(here, heldNow);
  const said = [
    ...(cancelled === 0 && held > 0 ? [] : [stopped(cancelled)]),
    ...(held === 0 ? [] : [held === 1 ? "1 message is held." : `${held} messages are held.`]),
  ].join(" ");
  await say(said, here === 0 || threadId === null ? [] : heldButtons(threadId, canPress));
}

function heldButtons(threadId: string, canPress: boolean): readonly Button[] {
  if (canPress) {
    return [
      { label: "Send", data: `send.${threadId}` },
      { label: "Drop", data: `drop.${threadId}` },
    ];
  }
  return [{ label: "Send or drop", url: `${env().publicUrl.replace(/\/$/, "")}/threads/${threadId}` }];
}

function stopped(count: number): string {
  if (count === 0) return "Nothing is running here.";
  return count === 1 ? "Stopped." : `Stopped ${count} runs.`;
}

async function compact(
  services: Services,
  { loadCompaction }: ChannelPorts,
  { threadId, userId }: LinkRow,
  say: Commanded["say"],
): Promise<void> {
  if (threadId === null) return say("There is nothing to summarise yet.");
  try {
    const { compacted } = await compactThread(services, threadId, { id: userId }, loadCompaction);
    await say(compacted === 0 ? "There is nothing to summarise yet." : `${compacted} messages are summarised.`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await say(error.message);
  }
}
