"use client";
import { useEffect, useRef } from "react";

/**
 * Runs what it is given unless something of the kind is under way: `isPending`, or begun since that was drawn. Two
 * presses of Enter come faster than the page is drawn again.
 */
export function useOneAtATime(isPending: boolean): (work: () => void) => void {
  const isUnderWay = useRef(isPending);
  useEffect(() => {
    isUnderWay.current = isPending;
  });
  return (work) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    work();
  };
}
