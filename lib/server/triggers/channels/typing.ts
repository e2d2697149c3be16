import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import type { OpenChannel } from "./connection";

const REPEAT_MS = 4_000;
/** A run that has not ended by then continues without the indicator. */
const MOST_MS = 60 * 60_000;

interface Typing {
  readonly open: OpenChannel;
  readonly chatId: string;
  readonly untilMs: number;
  timer: NodeJS.Timeout | null;
}

/** Runs of chats whose messages this process received. */
const typing = () => processState("channel-typing", () => new Map<string, Typing>());

/** Shows the typing indicator in the chat until the run waits for a person or has ended. */
export function showTyping(runId: string, open: OpenChannel, chatId: string): void {
  if (!open.channel.limits.canType || typing().has(runId)) return;
  const entry = { open, chatId, untilMs: Date.now() + MOST_MS, timer: null };
  typing().set(runId, entry);
  begin(runId, entry);
}

/** Called when a run has changed. Runs without a chat cost no query. */
export function noteRunStatus(runId: string, status: string): void {
  const entry = typing().get(runId);
  if (!entry) return;
  const known = RunStatus.safeParse(status);
  if (known.success && hasEnded(known.data)) endTyping(runId);
  else if (status === "waiting") pause(entry);
  else if (entry.timer === null) begin(runId, entry);
}

function endTyping(runId: string): void {
  const entry = typing().get(runId);
  if (!entry) return;
  pause(entry);
  typing().delete(runId);
}

function begin(runId: string, entry: Typing): void {
  entry.timer = setInterval(() => {
    if (Date.now() > entry.untilMs) endTyping(runId);
    else send(entry, true);
  }, REPEAT_MS);
  entry.timer.unref();
  send(entry, true);
}

function pause(entry: Typing): void {
  if (entry.timer === null) return;
  clearInterval(entry.timer);
  entry.timer = null;
  send(entry, false);
}

function send({ open: { channel, connection }, chatId }: Typing, isOn: boolean): void {
  channel.typing(connection, chatId, isOn).catch((error: unknown) => {
    logger().debug({ err: error, channelId: connection.channelId }, "could not show typing");
  });
}
