"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Filters and bulk actions are loaded on demand. */
export const LazyThreadTools = dynamic(async () => (await loadWithRetry(() => import("./thread-tools"))).ThreadTools, {
  ssr: false,
});
