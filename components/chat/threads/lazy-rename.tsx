"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Few threads are renamed: the dialog is loaded on demand. */
export const LazyRename = dynamic(async () => (await loadWithRetry(() => import("./rename-thread"))).RenameThread, {
  ssr: false,
});
