import { EventEmitter } from "node:events";
import { announceSettings, onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** In-process cache of people with a linked chat. Others cost no query. */
const linked = () => processState("linked-people", () => new Set<string>());
const changes = () => processState("channel-changes", () => new EventEmitter<{ changed: [] }>());

export function hasLinkedChat(userId: string): boolean {
  return linked().has(userId);
}

export function isAnyoneLinked(): boolean {
  return linked().size > 0;
}

async function loadLinkedPeople(database: Database): Promise<void> {
  const rows = await database.channelLink.findMany({
    distinct: ["userId"],
    select: { userId: true },
    orderBy: { userId: "asc" },
  });
  const known = linked();
  known.clear();
  for (const { userId } of rows) known.add(userId);
}

/** Loads them now, and reloads whenever another process changes a channel or a link. */
export async function startLinkedPeople(database: Database): Promise<void> {
  await loadLinkedPeople(database);
  onSettingsElsewhere(() => {
    loadLinkedPeople(database)
      .then(() => changes().emit("changed"))
      .catch((error: unknown) => logger().error({ err: error }, "could not load who has linked a chat"));
  });
}

/** Called after a change of a channel or a link: all processes apply it at once. */
export async function announceChannels(database: Database): Promise<void> {
  await loadLinkedPeople(database);
  changes().emit("changed");
  announceSettings();
}

/** Calls `listener` after every change of channels and links, by any process. Returns a function that stops this. */
export function onChannelsChanged(listener: () => void): () => void {
  changes().on("changed", listener);
  return () => void changes().off("changed", listener);
}
