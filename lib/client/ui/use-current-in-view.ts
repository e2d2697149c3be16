"use client";
import { type RefObject, useEffect, useRef } from "react";

/** For a row of links that scrolls sideways on a phone: the link to the current page, `href`, is in view. */
export function useCurrentInView<Row extends HTMLElement>(href: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    const links = [...(row.current?.querySelectorAll("[aria-current=page]") ?? [])];
    const current = links.find((link) => href.startsWith(link.getAttribute("href") ?? href));
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [href]);
  return row;
}
