"use client";
import { useSyncExternalStore } from "react";

/**
 * A parameter of the URL fragment, which never reaches a server or its logs: empty without it, null as long as only
 * the server has rendered the page.
 */
export function useFragmentParameter(name: string): string | null {
  const fragment = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => null,
  );
  return fragment === null ? null : (new URLSearchParams(fragment.slice(1)).get(name) ?? "");
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
