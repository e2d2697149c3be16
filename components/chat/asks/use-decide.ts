"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { decideCall } from "@/lib/client/chat/decisions";
import { ApiError } from "@/lib/client/ui/api";
import { APPROVALS_KEY, GRANTS_KEY, THREADS_KEY } from "@/lib/client/ui/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Decision } from "@/lib/schema/interrupt";
import type { Decisions } from "./decisions-context";

/** Of the server; a run that does not wait at all is a 409 too, but nobody has decided there. */
const ALREADY_DECIDED = "conflict";

/** Sends decisions and refetches everything they change; when another tab was faster, the person is told. */
export function useDecide(via: "page" | "inbox", afterwards: () => Promise<void>): Decisions["decide"] {
  const queryClient = useQueryClient();
  return useLatest(async (runId, decision) => {
    try {
      await decideCall(runId, decision, via);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== ALREADY_DECIDED) throw error;
      showToast({ title: "Already decided", description: error.message });
    }
    void queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
    void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "list"] });
    if (decision.scope === "thread") void queryClient.invalidateQueries({ queryKey: GRANTS_KEY });
    await afterwards();
  });
}

/** A function that stays the same while what it does follows the render: cards need not be drawn again. */
function useLatest(work: Decisions["decide"]): Decisions["decide"] {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useCallback((runId: string, decision: Decision) => latest.current(runId, decision), []);
}
