"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Few threads are shared: the dialog comes when it is asked for. */
export const LazyShareDialog = dynamic(async () => (await loadWithRetry(() => import("./share-dialog"))).ShareDialog, {
  ssr: false,
});
