"use client";
import { useCallback, useState } from "react";
import { type Decisions, useDecide } from "@/lib/client/chat/asks/use-decisions";
import type { InboxNote } from "@/lib/schema/inbox/inbox-note";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { useInboxChoice } from "./use-inbox-choice";

/**
 * The open ask or note, and how to decide or leave it. An ask that is decided here makes room for the next; one that is
 * decided elsewhere stays open until the viewer leaves it.
 */
export function useOpenItem(approvals: readonly Approval[], notes: readonly InboxNote[]) {
  const ids = [...approvals, ...notes].map(({ id }) => id);
  const [lastAsk, setLastAsk] = useState<Approval | null>(null);
  const { decide, own } = useOwnDecision(lastAsk?.id ?? null);
  const isDecidedHere = own?.id === lastAsk?.id && own?.state === "decided";
  const { openId, open, step } = useInboxChoice(ids, (id) => lastAsk?.id === id && !isDecidedHere);
  const waiting = approvals.find(({ id }) => id === openId);
  if (waiting && waiting !== lastAsk) setLastAsk(waiting);
  const kept = waiting === undefined && lastAsk?.id === openId ? lastAsk : null;
  return {
    ids,
    openId,
    open,
    step,
    /** The open ask while it waits, or while the decision made here is on its way. */
    ask: waiting ?? (own?.state === "sending" && own.id === kept?.id ? kept : null),
    /** The open ask once it no longer waits, for a reason that is not this page. */
    goneAsk: own?.id === kept?.id ? null : kept,
    note: notes.find(({ id }) => id === openId) ?? null,
    decide,
    hasDecided: own?.state === "decided",
    /** Lets go of an ask that is kept open. */
    leave: () => setLastAsk(null),
  };
}

interface OwnDecision {
  readonly id: string;
  readonly state: "sending" | "decided";
}

/** Sends the decision on the open ask and remembers it, unless another came first. */
function useOwnDecision(askId: string | null) {
  const send = useDecide("inbox");
  const [own, setOwn] = useState<OwnDecision | null>(null);
  const decide = useCallback<Decisions["decide"]>(
    async (runId, decision) => {
      if (askId === null) return;
      setOwn({ id: askId, state: "sending" });
      let isOurs = false;
      try {
        isOurs = await send(runId, decision);
      } finally {
        setOwn(isOurs ? { id: askId, state: "decided" } : null);
      }
    },
    [send, askId],
  );
  return { decide, own };
}
