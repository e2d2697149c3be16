import { EventEmitter } from "node:events";
import { announceSettings, onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import { logger } from "@/lib/server/platform/logger";
import { type Services, serviceState } from "@/lib/server/platform/services";

/** In-process cache of people with a linked chat. Others cost no query. */
const linked = serviceState("linked-people", () => new Set<string>());
const changes = serviceState("channel-changes", () => new EventEmitter<{ changed: [] }>());

export function hasLinkedChat(services: Services, userId: string): boolean {
  return linked(services).has(userId);
}

export function isAnyoneLinked(services: Services): boolean {
  return linked(services).size > 0;
}

async function loadLinkedPeople(services: Services): Promise<void> {
  const rows = await services.database.channelLink.findMany({
    distinct: ["userId"],
    select: { userId: true },
    orderBy: { userId: "asc" },
  });
  const known = linked(services);
  known.clear();
  for (const { userId } of rows) known.add(userId);
}

/** Loads them now, and reloads whenever another process changes a channel or a link. Returns a function that stops this. */
export async function startLinkedPeople(services: Services): Promise<() => void> {
  await loadLinkedPeople(services);
  return onSettingsElsewhere(() => {
    loadLinkedPeople(services)
      .then(() => changes(services).emit("changed"))
      .catch((error: unknown) => logger().error({ err: error }, "could not load who has linked a chat"));
  });
}

/** Called after a change of a channel or a link: all processes apply it at once. */
export async function announceChannels(services: Services): Promise<void> {
  await loadLinkedPeople(services);
  changes(services).emit("changed");
  announceSettings();
}

/** Calls `listener` after every change of channels and links, by any process. Returns a function that stops this. */
export function onChannelsChanged(services: Services, listener: () => void): () => void {
  changes(services).on("changed", listener);
  return () => void changes(services).off("changed", listener);
}
