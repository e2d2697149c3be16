"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Filters and bulk actions come when they are asked for. */
export const LazyThreadTools = dynamic(async () => (await loadWithRetry(() => import("./thread-tools"))).ThreadTools, {
  ssr: false,
});
