"use client";
import { useEffect } from "react";

/**
 * Without a network the browser would put its own error page in the place of ours. A link to another page of ours then
 * leads nowhere, and `onStay` says so.
 */
export function useOfflineLinks(onStay: () => void): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (navigator.onLine || !followsOwnLink(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onStay();
    };
    // Before the link's own handler, which would begin to load.
    window.addEventListener("click", onClick, true);
    return () => window.removeEventListener("click", onClick, true);
  }, [onStay]);
}

/** A plain click on a link to another page of ours. */
export function followsOwnLink(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.href === "" || !["", "_self"].includes(link.target)) return false;
  const { origin, pathname, search } = new URL(link.href);
  if (origin !== window.location.origin) return false;
  return pathname !== window.location.pathname || search !== window.location.search;
}
