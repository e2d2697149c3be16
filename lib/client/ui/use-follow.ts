"use client";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

/** Closer to the end than this counts as being there. */
const NEAR_PX = 48;

export interface Follow {
  readonly isFollowing: boolean;
  /** The content overflows. */
  readonly isLong: boolean;
  readonly follow: () => void;
  /** As if the reader had scrolled up. */
  readonly release: () => void;
  readonly onScroll: () => void;
}

/**
 * Keeps a growing region scrolled to its end whenever `contentSize` changes; scrolling up releases it, scrolling to the
 * end holds it again.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, contentSize: number): Follow {
  const [isFollowing, setFollowing] = useState(true);
  const [isLong, setLong] = useState(false);
  const lastTop = useRef<number | null>(null);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || contentSize === 0) return;
    setLong(element.scrollHeight > element.clientHeight + 1);
    if (lastTop.current === null && isScrolledTo(element)) {
      lastTop.current = element.scrollTop;
      setFollowing(false);
      return;
    }
    if (!isFollowing) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller, contentSize, isFollowing]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const isUp = element.scrollTop < (lastTop.current ?? 0) - 2;
    lastTop.current = element.scrollTop;
    if (isAtEnd(element)) setFollowing(true);
    else if (isUp) setFollowing(false);
  };
  const follow = () => {
    setFollowing(true);
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  const release = useCallback(() => setFollowing(false), []);
  return { isFollowing, isLong, follow, release, onScroll };
}

/**
 * False at a region's initial position, its end (its start in browsers that can't do that): otherwise somebody has
 * scrolled before us.
 */
export function isScrolledTo(element: HTMLElement): boolean {
  return element.scrollTop > 0 && !isAtEnd(element);
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_PX;
}
