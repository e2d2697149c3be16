"use client";
import { useEffect } from "react";
import { askHealth } from "@/lib/client/http/ask-health";

/** Whether a request would be answered now. */
export async function answers(): Promise<boolean> {
  if (!navigator.onLine) return false;
  return (await askHealth()) !== null;
}

/**
 * If the server is unreachable, the browser would replace our page with its own error page. A link to another page of
 * ours is then followed by `go`, which checks first.
 */
export function useSafeLinks(isReachable: boolean, go: (href: string) => void): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (isReachable && navigator.onLine) return;
      const href = ownLinkOf(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      go(href);
    };
    // Before the link's own handler, which would start loading.
    window.addEventListener("click", onClick, true);
    return () => window.removeEventListener("click", onClick, true);
  }, [isReachable, go]);
}

/** The target of a plain click on a link to another page of ours: path and query. Null for every other click. */
export function ownLinkOf(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.href === "" || !["", "_self"].includes(link.target)) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== window.location.origin) return null;
  if (pathname === window.location.pathname && search === window.location.search) return null;
  return pathname + search + hash;
}
