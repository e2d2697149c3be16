"use client";
import { useLayoutEffect, useRef, useState } from "react";
import { keyboardScrollable } from "@/components/ui/scroll-area";
import { classNames } from "@/lib/client/ui/class-names";
import { type DrawMath, drawMathNow, loadMath } from "@/lib/client/ui/markdown/load-math";

export interface MathFormulaProps {
  formula: string;
  /** The source text: shown if it can't be drawn. */
  source: string;
  isBlock: boolean;
  /** Its end has not arrived yet. */
  isOpen: boolean;
}

/** A formula in TeX, drawn before it is painted. One that is wider than the text scrolls, also with the arrow keys. */
export function MathFormula({ formula, source, isBlock, isOpen }: MathFormulaProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  const [drawMath, setDrawMath] = useState<DrawMath | null>(drawMathNow);
  const [state, setState] = useState<"waiting" | "drawn" | "source">("waiting");
  const isWide = useIsWide(frame, isBlock && state === "drawn");
  useLayoutEffect(() => {
    if (isOpen || place.current === null) return setState("waiting");
    if (drawMath !== null) return setState(drawMath(place.current, formula, isBlock) ? "drawn" : "source");
    let isGone = false;
    const use = (loaded: DrawMath | null) => {
      if (isGone) return;
      setDrawMath(() => loaded);
      if (loaded === null) setState("source");
    };
    void loadMath().then(use);
    return () => {
      isGone = true;
    };
  }, [drawMath, formula, isBlock, isOpen]);
  return (
    <span
      ref={frame}
      {...(isWide ? keyboardScrollable("Formula") : {})}
      className={isBlock ? "my-3 block overflow-x-auto overflow-y-hidden -outline-offset-2" : undefined}
    >
      <span ref={place} hidden={state !== "drawn"} className={isBlock ? "block" : undefined} />
      {state === "source" ? (
        <code
          className={classNames("font-mono text-[0.86em] text-muted", isBlock ? "block whitespace-pre" : "break-words")}
        >
          {source.trim()}
        </code>
      ) : null}
      {state === "waiting" ? <span className="text-muted">…</span> : null}
    </span>
  );
}

/** Whether it has more than its frame shows, at every width of the page. */
function useIsWide(frame: { readonly current: HTMLElement | null }, isMeasured: boolean): boolean {
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!isMeasured || element === null) return;
    const measure = () => setWide(element.scrollWidth > element.clientWidth);
    measure();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, isMeasured]);
  return isMeasured && isWide;
}
