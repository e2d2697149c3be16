import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import { logger } from "@/lib/server/platform/logger";
import { type Services, serviceState } from "@/lib/server/platform/services";
import type { OpenChannel } from "./connection";

/** A run that has not ended by then continues without the indicator. */
const MOST_MS = 60 * 60_000;

/** Where the indicator is shown. */
interface Place {
  readonly open: OpenChannel;
  readonly chatId: string;
  /** As in `OutboundMessage`: the message being answered. */
  readonly replyTo: string | undefined;
}

interface Typing extends Place {
  readonly untilMs: number;
  timer: NodeJS.Timeout | null;
}

/** Runs of chats whose messages this process received. */
const typing = serviceState("channel-typing", () => new Map<string, Typing>());

/** Shows the typing indicator in the chat until the run, or the one that takes over, waits for a person or has ended. */
export async function showTyping(services: Services, runId: string, place: Place): Promise<void> {
  if (place.open.channel.limits.typingMs === null || typing(services).has(runId)) return;
  const entry = { ...place, untilMs: Date.now() + MOST_MS, timer: null };
  await follow(services, runId, entry);
}

/** Called when a run has changed. Runs without a chat cost no query. */
export async function noteRunStatus(services: Services, runId: string, status: string): Promise<void> {
  const entry = typing(services).get(runId);
  if (!entry) return;
  const known = RunStatus.safeParse(status);
  if (known.success && hasEnded(known.data)) await passOn(services, runId, entry);
  else if (status === "waiting") pause(entry);
  else if (entry.timer === null) begin(services, runId, entry);
}

/** It may have ended before it was followed. */
async function follow(services: Services, runId: string, entry: Typing): Promise<void> {
  typing(services).set(runId, entry);
  const run = await services.database.run.findUnique({ where: { id: runId }, select: { status: true } });
  if (!typing(services).has(runId)) return;
  if (run?.status !== "waiting" && entry.timer === null) begin(services, runId, entry);
  if (run) await noteRunStatus(services, runId, run.status);
}

/** The run has ended. If its agent handed the conversation over, the other agent types from now on. */
async function passOn(services: Services, runId: string, entry: Typing): Promise<void> {
  endTyping(services, runId);
  const next = await services.database.run.findFirst({
    where: { afterRunId: runId, origin: "handoff" },
    select: { id: true },
  });
  if (next && !typing(services).has(next.id)) await follow(services, next.id, entry);
}

function endTyping(services: Services, runId: string): void {
  const entry = typing(services).get(runId);
  if (!entry) return;
  pause(entry);
  typing(services).delete(runId);
}

function begin(services: Services, runId: string, entry: Typing): void {
  const repeatMs = entry.open.channel.limits.typingMs ?? MOST_MS;
  entry.timer = setInterval(() => {
    if (Date.now() > entry.untilMs) endTyping(services, runId);
    else send(entry, true);
  }, repeatMs);
  entry.timer.unref();
  send(entry, true);
}

function pause(entry: Typing): void {
  if (entry.timer === null) return;
  clearInterval(entry.timer);
  entry.timer = null;
  send(entry, false);
}

function send({ open: { channel, connection }, chatId, replyTo }: Typing, isOn: boolean): void {
  channel.typing(connection, { chatId, replyTo }, isOn).catch((error: unknown) => {
    logger().debug({ err: error, channelId: connection.channelId }, "could not show typing");
  });
}
