import katex from "katex";
import "katex/dist/katex.min.css";

/** The formula comes from a model: no links, no HTML, no images, and no unbounded expansion. */
export function drawMath(element: HTMLElement, formula: string, isBlock: boolean): boolean {
  try {
    katex.render(formula, element, {
      displayMode: isBlock,
      trust: false,
      strict: "ignore",
      throwOnError: true,
      maxExpand: 500,
      maxSize: 20,
    });
    return true;
  } catch (error) {
    if (error instanceof katex.ParseError || error instanceof RangeError) return false;
    throw error;
  }
}
