"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useSyncExternalStore } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { PushRefused, pushSupport, turnOnPush } from "./browser-push";
import { changeNotifications, notificationsQuery } from "./notification-queries";

const DISMISSED = "ringmaster-notify-offer-dismissed";

/** The cards on the page that could make the offer, in order: only the first does. */
let cards: readonly string[] = [];
let isDismissed: boolean | null = null;
const listeners = new Set<() => void>();

function setCards(next: readonly string[]): void {
  cards = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function readDismissed(): boolean {
  try {
    isDismissed ??= localStorage.getItem(DISMISSED) !== null;
  } catch {
    isDismissed ??= false;
  }
  return isDismissed;
}

function dismiss(): void {
  isDismissed = true;
  try {
    localStorage.setItem(DISMISSED, "true");
  } catch {
    // Storage may be full or forbidden; the offer then comes back with the next visit.
  }
  setCards([...cards]);
}

/** The browser has been asked neither by this page nor by the person's settings. */
function isUnasked(): boolean {
  return pushSupport() === "ready" && Notification.permission === "default" && !readDismissed();
}

/** Whether this card makes the offer: the page's first, until it is taken or dismissed. */
export function useMakesOffer(): boolean {
  const id = useId();
  useEffect(() => {
    setCards([...cards, id]);
    return () => setCards(cards.filter((card) => card !== id));
  }, [id]);
  return useSyncExternalStore(
    subscribe,
    () => cards[0] === id && isUnasked(),
    () => false,
  );
}

/** To be notified by this browser. The browser's own question comes only when `accept` is called. */
export function useNotifyOffer() {
  const queryClient = useQueryClient();
  const { data } = useQuery(notificationsQuery);
  const accept = useMutation({
    mutationFn: async (pushKey: string) => {
      await turnOnPush(pushKey);
      await changeNotifications({ ways: { decision: { push: true } } });
    },
    onSuccess: () => showToast({ title: "This browser notifies you when something waits for you" }),
    onError: (error) =>
      showToast({ title: error instanceof PushRefused ? error.message : errorMessage(error), tone: "error" }),
    onSettled: () => {
      dismiss();
      void queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    },
  });
  return {
    isReady: data !== undefined,
    isPending: accept.isPending,
    accept: () => data && accept.mutate(data.pushKey),
    dismiss,
  };
}
