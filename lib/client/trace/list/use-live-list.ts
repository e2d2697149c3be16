"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { newerRunsQuery } from "@/lib/client/trace/trace-queries";
import type { TraceFilterState } from "@/lib/client/trace/use-trace-filters";

export interface LiveList {
  readonly isLive: boolean;
  readonly setLive: (isLive: boolean) => void;
  /** While the list is not live: when its rows were loaded, which stay as they are. */
  readonly loadedAtMs: number | null;
  /** How many runs began since then; at most `MOST_NEWER`. */
  readonly newer: number;
  readonly showNewer: () => void;
}

/** Whether the list follows what happens, and what it misses while it does not. */
export function useLiveList({ url, setUrl, filters }: TraceFilterState): LiveList {
  const isLive = url.live;
  const [loadedAtMs, setLoadedAtMs] = useState(serverNowMs);
  const { data: newer = 0 } = useQuery({ ...newerRunsQuery(filters, loadedAtMs), enabled: !isLive });
  return {
    isLive,
    setLive: (next) => {
      setLoadedAtMs(serverNowMs());
      void setUrl({ live: next ? null : false });
    },
    loadedAtMs: isLive ? null : loadedAtMs,
    newer: isLive ? 0 : newer,
    showNewer: () => setLoadedAtMs(serverNowMs()),
  };
}
