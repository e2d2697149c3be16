"use client";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Nearer to the end than this counts as being there. */
const NEAR_PX = 48;

export interface Follow {
  readonly isFollowing: boolean;
  /** There is more than fits. */
  readonly isLong: boolean;
  readonly follow: () => void;
  readonly onScroll: () => void;
}

/** Keeps a growing region at its end; scrolling up lets go, scrolling down to the end takes hold again. */
export function useFollow(scroller: RefObject<HTMLElement | null>, contentSize: number): Follow {
  const [isFollowing, setFollowing] = useState(true);
  const [isLong, setLong] = useState(false);
  const lastTop = useRef(0);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || contentSize === 0) return;
    setLong(element.scrollHeight > element.clientHeight + 1);
    if (!isFollowing) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller, contentSize, isFollowing]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const isUp = element.scrollTop < lastTop.current - 2;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    lastTop.current = element.scrollTop;
    if (isUp && !isAtEnd) setFollowing(false);
    else if (isAtEnd) setFollowing(true);
  };
  const follow = () => {
    setFollowing(true);
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  return { isFollowing, isLong, follow, onScroll };
}
