"use client";
import { useLayoutEffect, useRef, useState } from "react";
import { classNames } from "@/lib/client/ui/class-names";
import { type DrawMath, drawMathNow, loadMath } from "@/lib/client/ui/markdown/load-math";

export interface MathFormulaProps {
  formula: string;
  /** The source text: shown until the formula can be drawn, or if it never can. */
  source: string;
  isBlock: boolean;
  /** Its end has not arrived yet. */
  isOpen: boolean;
}

/** A formula in TeX, drawn by code that the page's first formula loads. */
export function MathFormula({ formula, source, isBlock, isOpen }: MathFormulaProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [drawMath, setDrawMath] = useState<DrawMath | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  // Before the paint: once the page can draw formulas, none is seen as its source first.
  useLayoutEffect(() => {
    const draw = drawMath ?? drawMathNow();
    if (isOpen || place.current === null) return setDrawn(false);
    if (draw !== null) return setDrawn(draw(place.current, formula, isBlock));
    let isGone = false;
    const use = (loaded: DrawMath | null) => isGone || setDrawMath(() => loaded);
    void loadMath().then(use);
    return () => {
      isGone = true;
    };
  }, [drawMath, formula, isBlock, isOpen]);
  return (
    <span className={isBlock ? "my-3 block overflow-x-auto overflow-y-hidden" : undefined}>
      <span ref={place} hidden={!isDrawn} className={isBlock ? "block" : undefined} />
      {isDrawn ? null : (
        <code
          className={classNames("font-mono text-[0.86em] text-muted", isBlock ? "block whitespace-pre" : "break-words")}
        >
          {source.trim()}
        </code>
      )}
    </span>
  );
}
