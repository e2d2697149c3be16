"use client";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Otherwise every page would load it, in a copy of the shell's scripts, although few URLs lead nowhere. */
export const LazyMissingShell = dynamic(
  async () => (await loadWithRetry(() => import("./missing-shell"))).MissingShell,
  { loading: () => null },
);
export const LazyMissingText = dynamic(async () => (await loadWithRetry(() => import("./missing-page"))).MissingText, {
  loading: () => null,
});
