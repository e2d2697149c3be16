"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Few threads are shared: the dialog is loaded on demand. */
export const LazyShareDialog = dynamic(async () => (await loadWithRetry(() => import("./share-dialog"))).ShareDialog, {
  ssr: false,
});
