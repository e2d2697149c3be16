"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

// Only during a run.
export const LazyQueuedList = dynamic(async () => (await loadWithRetry(() => import("./queued-list"))).QueuedList, {
  loading: () => null,
});
export const LazySendMode = dynamic(async () => (await loadWithRetry(() => import("./send-mode"))).SendMode, {
  loading: () => null,
});
// Only after a stop.
export const LazyHeldList = dynamic(async () => (await loadWithRetry(() => import("./held-list"))).HeldList, {
  loading: () => null,
});
