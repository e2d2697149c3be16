"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { filesKey, THREADS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import { splitAttached } from "@/lib/schema/messages/attached-files";
import type { HeldMessage, ThreadDetail } from "@/lib/schema/threads/thread";
import { toChatMessages } from "./chat-message";
import type { HeldControls, QueueControls } from "./composer/queue-controls";
import { chosenOf } from "./composer/use-picked";
import { RunChat } from "./run-chat";
import { threadQuery } from "./thread-queries";
import { INITIAL_STATE, type QueuedMessage, type ThreadState, type ThreadView, viewThread } from "./thread-state";
import {
  type ChosenStep,
  cancelRun,
  changeQueued,
  type NextStep,
  postNextStep,
  releaseHeld,
  removeQueued,
  sendMessage,
} from "./threads/thread-actions";

const THROTTLE_MS = 50;

export interface ThreadChat extends ThreadView, Pick<ThreadState, "connection" | "error"> {
  /** Shows the message immediately. One that the server does not accept moves to `unsent`. */
  readonly send: RunChat["send"];
  readonly retry: RunChat["retry"];
  readonly discard: RunChat["discard"];
  /** Continue or Retry of an ended run. Resolves to whether the server accepted it; a refusal is shown. */
  readonly takeNextStep: (runId: string, step: NextStep, chosen?: ChosenStep) => Promise<boolean>;
  /** Asks the current run to stop, once. */
  readonly stop: () => void;
  /** True from then until it has ended, or the request failed. */
  readonly isStopping: boolean;
  /** The person's actions on the queue. */
  readonly queue: Pick<QueueControls, "change" | "remove">;
  /** The messages that a stop has held; `drop` gives the text of a dropped one to `onUndo`. */
  readonly held: Pick<HeldControls, "messages" | "send" | "change"> & {
    readonly drop: (message: HeldMessage, onUndo: (text: string) => void) => Promise<boolean>;
  };
  readonly reconnect: () => void;
  /** Refetches what is stored. */
  readonly refresh: () => Promise<void>;
}

/**
 * A thread as its page shows it: what is stored, and what arrives through its stream. The tab that sent a message,
 * another tab and a reloaded page all take the same path. Mount it once per thread (`key`).
 */
export function useThreadChat(detail: ThreadDetail): ThreadChat {
  const { id: threadId } = detail;
  const queryClient = useQueryClient();
  const refresh = useCallback(
    () => queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey }),
    [queryClient, threadId],
  );
  const [chat] = useState(() => {
    const keys = { thread: threadQuery(threadId).queryKey, threads: THREADS_KEY, files: filesKey(threadId) };
    return new RunChat({
      threadId,
      lastRunId: detail.branches ? detail.branches.lastEndedRunId : lastReplied(detail),
      throttleMs: THROTTLE_MS,
      onStale: (what) => queryClient.invalidateQueries({ queryKey: keys[what] }),
    });
  });
  // State kept by this tab is not on the server-rendered page.
  const state = useSyncExternalStore(chat.subscribe, chat.snapshot, () => INITIAL_STATE);
  const view = useMemo(() => viewThread(detail, state), [detail, state]);
  const { currentRunId } = view;
  const stopping = useAction({
    mutationFn: async () => {
      const runId = currentRunId ?? (await chat.newestRun());
      if (runId !== null) await cancelRun(runId);
      await refresh();
      return runId;
    },
  });
  const isStopping = stopping.isPending || (currentRunId !== null && stopping.data === currentRunId);
  const { send, retry, discard, reconnect } = chat;
  return {
    ...view,
    connection: state.connection,
    error: state.error,
    send,
    retry,
    discard,
    refresh,
    isStopping,
    takeNextStep: useCallback(
      (runId: string, step: NextStep, chosen?: ChosenStep) => tell(postNextStep(runId, step, chosen).then(refresh)),
      [refresh],
    ),
    stop: () => (isStopping ? undefined : stopping.mutate()),
    queue: {
      change: (id, patch) => tell(changeQueued(threadId, id, patch).finally(refresh)),
      remove: (message, position) => removeFromQueue(threadId, message, { position, refresh }),
    },
    held: {
      messages: detail.held ?? NONE_HELD,
      send: (id) => tell(releaseHeld(threadId, id === undefined ? undefined : [id]).finally(refresh)),
      change: (id, content) => tell(changeQueued(threadId, id, { content }).finally(refresh)),
      drop: async ({ id, text }, onUndo) => {
        const isDropped = await tell(removeQueued(threadId, id).finally(refresh));
        if (isDropped) showToast({ title: "Message dropped", onUndo: () => onUndo(splitAttached(text).text) });
        return isDropped;
      },
    },
    reconnect: () => {
      reconnect();
      void refresh();
    },
  };
}

const NONE_HELD: readonly HeldMessage[] = [];

interface Removal {
  /** Position in the queue, from 1. */
  readonly position: number;
  readonly refresh: () => Promise<void>;
}

/** Removes the message from the queue; the toast puts it back where it was. */
async function removeFromQueue(threadId: string, message: QueuedMessage, { position, refresh }: Removal) {
  const isRemoved = await tell(removeQueued(threadId, message.id).finally(refresh));
  if (!isRemoved) return false;
  const { text: content, steers, model = null, effort = null, agentId } = message;
  const putBack = async () => {
    const mode = steers ? "steer" : "queue";
    const { messageId, runId, status } = await sendMessage({
      threadId,
      content,
      mode,
      ...chosenOf({ model, effort }),
      ...(agentId === undefined ? {} : { agentId }),
    });
    // If the run has ended, the message has begun by now.
    if (steers || status === "queued")
      await changeQueued(threadId, steers ? messageId : runId, { position }).catch(() => undefined);
    await refresh();
  };
  showToast({ title: "Message removed", onUndo: () => void tell(putBack()) });
  return true;
}

/** The run of the last stored reply. */
function lastReplied({ messages }: ThreadDetail): string | null {
  const last = toChatMessages(messages).findLast(
    ({ role, metadata }) => role === "assistant" && metadata !== undefined,
  );
  return last?.metadata?.runId ?? null;
}

/** Shows an error if one occurs; resolves to whether all went well. */
async function tell(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    showToast({ title: errorMessage(error), tone: "error" });
    return false;
  }
}
