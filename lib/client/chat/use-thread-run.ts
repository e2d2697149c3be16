"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { THREADS_KEY } from "@/lib/client/ui/query-keys";
import { hasEnded } from "@/lib/schema/run";
import type { ThreadDetail } from "@/lib/schema/thread";
import { type ChatMessage, isShown, visibleMessages } from "./chat-message";
import { deliver, newestRun, type Outbox, type OutgoingMessage, sendNow } from "./outbox";
import { threadQuery } from "./queries";
import type { ConnectionState } from "./run-stream";
import { createRunTransport } from "./run-transport";
import { cancelRun, sendMessage } from "./thread-actions";
import { type RunChat, useRunChat } from "./use-run-chat";

const THROTTLE_MS = 50;

export interface ThreadRun {
  readonly messages: readonly ChatMessage[];
  readonly isRunning: boolean;
  /** The run has stopped until a person decides; a new message declines what it waits for (D-53). */
  readonly isWaiting: boolean;
  /** Messages that wait for the run to end, in order. */
  readonly queued: ThreadDetail["openRuns"];
  readonly connection: ConnectionState;
  /** The stream could not be followed, though the run may go on. */
  readonly error: Error | null;
  /** Rejects when the server did not take the message. */
  readonly send: (message: OutgoingMessage) => Promise<void>;
  /** Resolves to the run that was asked to stop, if there was one. */
  readonly stop: () => Promise<string | null>;
  readonly removeQueued: (runId: string) => Promise<void>;
  readonly reconnect: () => void;
  /** After a decision: the run's stream has ended where it waited, and goes on. */
  readonly followAgain: () => Promise<void>;
}

/**
 * The live half of a thread: the stored transcript, and behind it the run that is going on, replayed from its start
 * and followed. Whoever looks — the tab that sent, another one, the same after a reload — takes the same way. Mount
 * it once per thread (`key`).
 */
export function useThreadRun(detail: ThreadDetail): ThreadRun {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: threadQuery(detail.id).queryKey });
  const { transport, followed, outbox, connection } = useRunLink(detail.id);
  const reading = useRef<Reading>({ ...NOTHING_READ });
  const chat = useRunChat({
    messages: visibleMessages(detail),
    transport,
    throttleMs: THROTTLE_MS,
    onFinish: (reply) => {
      noteEnd(reading.current, reply, detail);
      void refresh();
    },
  });
  const isBusy = chat.status === "submitted" || chat.status === "streaming";
  const { setMessages } = chat;
  const followAgain = useFollowing(detail, isBusy, chat, { followed, reading });
  // The same list as long as nothing changed: the transcript measures a new one from its first message on.
  const messages = useMemo(() => chat.messages.filter(isShown), [chat.messages]);
  const isWaiting = !isBusy && detail.openRuns[0]?.status === "waiting";
  const cancel = async (runId: string) => {
    await cancelRun(runId);
    await refresh();
  };
  return {
    messages,
    isRunning: (isBusy || detail.openRuns.length > 0) && !isWaiting,
    isWaiting,
    queued: detail.openRuns.slice(1),
    connection,
    error: chat.status === "error" && !hasNotice(chat.messages.at(-1)) ? chat.error : null,
    send: async (message) => {
      const queues = isBusy || detail.openRuns.length > 0 || message.continuesRunId !== undefined;
      if (!queues) {
        const accepted = sendNow(outbox, message, chat.send);
        return accepted.catch((error: unknown) => {
          setMessages(visibleMessages(detail));
          chat.clearError();
          throw error;
        });
      }
      await sendMessage({ ...message, threadId: detail.id });
      await refresh();
    },
    stop: async () => {
      const runId = detail.openRuns[0]?.id ?? (await newestRun(followed, outbox));
      if (runId !== null) await cancel(runId);
      return runId;
    },
    removeQueued: cancel,
    reconnect: () => {
      followed.current = detail.openRuns[0]?.id ?? null;
      void chat.resume();
      void refresh();
    },
    followAgain: async () => {
      const goOn = followAgain();
      await refresh();
      goOn();
    },
  };
}

const NOTHING_READ = { isBusy: false, again: null, paused: null, ended: null, older: null };

/** The stream of the run that is followed. */
interface Reading {
  isBusy: boolean;
  /** The run whose stream is to be read again where it ends at a pause: the person has decided in the meantime. */
  again: string | null;
  /** The run that was seen waiting, until it goes on. */
  paused: string | null;
  /** The run that ended in the stream read last, whatever was stored of it before that. */
  ended: string | null;
  /** What was stored when that stream ended: it may know nothing of the reply. */
  older: ThreadDetail | null;
}

/**
 * Shows what is stored and follows the open run. A stream ends where its run waits, unless subagents are running; when
 * the run goes on, the same stream is read again, and its replay takes the place of what is shown. Returns how to begin
 * that by hand; while the stream is still read it begins, if at all, once that has ended.
 */
function useFollowing(
  detail: ThreadDetail,
  isBusy: boolean,
  { setMessages, resume }: Pick<RunChat, "setMessages" | "resume">,
  { followed, reading }: { readonly followed: { current: string | null }; readonly reading: { current: Reading } },
) {
  const open = detail.openRuns[0];
  const active = open?.id ?? null;
  const waiting = open?.status === "waiting" ? active : null;
  useEffect(() => {
    reading.current.isBusy = isBusy;
    if (isBusy) return;
    if (!takeGoingOn(reading.current, active, waiting)) {
      // Followed to its end already: what was streamed stays until the stored form has been read.
      if (knowsLess(detail, reading.current) || isSame(active, followed.current)) return;
      setMessages(visibleMessages(detail));
    }
    // Nothing is followed now: a run whose stream has ended at once may be missing in what was read before it.
    followed.current = active;
    if (active !== null) void resume();
  }, [detail, active, waiting, isBusy, followed, reading, setMessages, resume]);
  // Leaving the page closes the stream; React's development mode leaves and comes back at once.
  useEffect(
    () => () => {
      followed.current = null;
    },
    [followed],
  );
  return () => {
    reading.current.paused = null;
    return () => {
      if (reading.current.isBusy) reading.current.again = followed.current;
      else if (followed.current !== null) void resume();
    };
  };
}

/** Whether the active run's stream is to be read again: asked for, or it has waited and waits no more. Said once. */
function takeGoingOn(reading: Reading, active: string | null, waiting: string | null): boolean {
  const { again, ended, paused } = reading;
  reading.again = null;
  reading.paused = waiting === ended ? null : waiting;
  return (again !== ended && isSame(active, again)) || (waiting === null && isSame(active, paused));
}

/** A stream has ended with `reply`, when `detail` was what had been read of the thread. */
function noteEnd(reading: Reading, reply: ChatMessage | null, detail: ThreadDetail): void {
  if (reply === null) return;
  const { runId, status } = reply.metadata ?? {};
  if (runId !== undefined && status !== undefined && hasEnded(status)) reading.ended = runId;
  reading.older = detail;
}

/** Read before the last stream had ended. */
function knowsLess(detail: ThreadDetail, { older }: Reading): boolean {
  return older === detail;
}

function isSame(active: string | null, other: string | null): boolean {
  return active !== null && active === other;
}

/** What the chat and its transport share: the run that is followed and the message that is on its way, if any. */
function useRunLink(threadId: string) {
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<ConnectionState>("connected");
  const followed = useRef<string | null>(null);
  const outbox = useRef<Outbox | null>(null);
  const [transport] = useState(() =>
    createRunTransport({
      send: async (content) => {
        const { runId } = await deliver(outbox.current, { threadId, content }).finally(() => {
          outbox.current = null;
        });
        followed.current = runId;
        void queryClient.invalidateQueries({ queryKey: THREADS_KEY });
        return { runId };
      },
      activeRunId: () => followed.current,
      onConnection: setConnection,
    }),
  );
  return { transport, followed, outbox, connection };
}

/** A failed run also ends its stream with an error; its notice says more. */
function hasNotice(message: ChatMessage | undefined): boolean {
  return message?.parts.some((part) => part.type === "data-notice") ?? false;
}
