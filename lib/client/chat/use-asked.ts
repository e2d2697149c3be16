"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { approvalsQuery } from "./decisions";
import type { Asked } from "./group-threads";
import { interruptGist } from "./interrupt-words";

/** What is asked first in each thread that waits; null while it is not known, or is too much for one page. */
export function useAsked(): Asked {
  const { data } = useQuery(approvalsQuery);
  return useMemo(() => {
    if (data === undefined || data.nextCursor !== null) return null;
    return new Map(data.approvals.toReversed().map((approval) => [approval.threadId, interruptGist(approval)]));
  }, [data]);
}
