"use client";
import { useChat } from "@ai-sdk/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ThreadDetail } from "@/lib/schema/thread";
import { type ChatMessage, isShown, visibleMessages } from "./chat-message";
import { THREADS_KEY, threadQuery } from "./queries";
import type { ConnectionState } from "./run-stream";
import { createRunTransport } from "./run-transport";
import { cancelRun, type SendMessage, sendMessage } from "./thread-actions";

const THROTTLE_MS = 50;

type OutgoingMessage = Omit<SendMessage, "threadId">;

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
  readonly stop: () => Promise<void>;
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
  const chat = useChat<ChatMessage>({
    id: detail.id,
    messages: visibleMessages(detail),
    transport,
    throttle: THROTTLE_MS,
    onFinish: () => void refresh(),
  });
  const isBusy = chat.status === "submitted" || chat.status === "streaming";
  const { setMessages } = chat;
  const followAgain = useFollowing(detail, isBusy, chat, followed);
  const isWaiting = !isBusy && detail.openRuns[0]?.status === "waiting";
  const cancel = async (runId: string) => {
    await cancelRun(runId);
    await refresh();
  };
  return {
    messages: chat.messages.filter(isShown),
    isRunning: (isBusy || detail.openRuns.length > 0) && !isWaiting,
    isWaiting,
    queued: detail.openRuns.slice(1),
    connection,
    error: chat.status === "error" && !hasEnding(chat.messages.at(-1)) ? (chat.error ?? null) : null,
    send: async (message) => {
      const queues = isBusy || detail.openRuns.length > 0 || message.continuesRunId !== undefined;
      if (!queues) {
        const accepted = sendNow(outbox, message, (text) => void chat.sendMessage({ text }));
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
      const runId = detail.openRuns[0]?.id ?? followed.current;
      if (runId !== null) await cancel(runId);
    },
    removeQueued: cancel,
    reconnect: () => {
      followed.current = null;
      void refresh();
    },
    followAgain: async () => {
      const goOn = followAgain();
      await refresh();
      goOn();
    },
  };
}

type Chat = Pick<ReturnType<typeof useChat<ChatMessage>>, "setMessages" | "resumeStream">;

/**
 * Shows what is stored and follows the open run. A stream ends where its run waits; when the run goes on, the same
 * stream is read again, and its replay takes the place of what is shown. Returns how to begin that by hand.
 */
function useFollowing(
  detail: ThreadDetail,
  isBusy: boolean,
  { setMessages, resumeStream }: Chat,
  followed: { current: string | null },
) {
  const paused = useRef<string | null>(null);
  const open = detail.openRuns[0];
  const active = open?.id ?? null;
  const waiting = open?.status === "waiting" ? active : null;
  useEffect(() => {
    if (isBusy) return;
    const goesOn = active !== null && paused.current === active && waiting === null;
    paused.current = waiting;
    // Followed to its end already: what was streamed stays until the stored form has been read.
    if (active !== null && active === followed.current && !goesOn) return;
    if (!goesOn) setMessages(visibleMessages(detail));
    if (active === null) return;
    followed.current = active;
    void resumeStream();
  }, [detail, active, waiting, isBusy, followed, setMessages, resumeStream]);
  // Leaving the page closes the stream; React's development mode leaves and comes back at once.
  useEffect(
    () => () => {
      followed.current = null;
    },
    [followed],
  );
  return () => {
    paused.current = null;
    return () => {
      if (followed.current !== null) void resumeStream();
    };
  };
}

interface Outbox {
  readonly message: OutgoingMessage;
  readonly accepted: PromiseWithResolvers<void>;
}

/** What the chat and its transport share: the run that is followed and the message that is on its way. */
function useRunLink(threadId: string) {
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<ConnectionState>("connected");
  const followed = useRef<string | null>(null);
  const outbox = useRef<Outbox | null>(null);
  const [transport] = useState(() =>
    createRunTransport({
      send: async (content) => {
        const { runId } = await deliver(outbox.current, { threadId, content });
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

/** Shows the message at once and settles as soon as the server has taken or refused it. */
function sendNow(outbox: { current: Outbox | null }, message: OutgoingMessage, show: (text: string) => void) {
  const accepted = Promise.withResolvers<void>();
  outbox.current = { message, accepted };
  show(message.content);
  return accepted.promise;
}

async function deliver(outbox: Outbox | null, message: SendMessage): Promise<{ runId: string }> {
  try {
    const reply = await sendMessage({ ...outbox?.message, ...message });
    outbox?.accepted.resolve();
    return reply;
  } catch (error) {
    outbox?.accepted.reject(error);
    throw error;
  }
}

/** A failed run also ends its stream with an error; its notice says more. */
function hasEnding(message: ChatMessage | undefined): boolean {
  return message?.parts.some((part) => part.type === "data-notice") ?? false;
}
