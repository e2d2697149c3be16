/** Fills an element with a formula; false if it can't be drawn. */
export type DrawMath = (element: HTMLElement, formula: string, isBlock: boolean) => boolean;

let drawing: DrawMath | null = null;
let loading: Promise<DrawMath | null> | null = null;

/** The formula renderer, if it has been loaded. */
export function drawMathNow(): DrawMath | null {
  return drawing;
}

/** Loads KaTeX with its style sheet and fonts; null if the server can't be reached, and the next formula retries. */
export function loadMath(): Promise<DrawMath | null> {
  loading ??= import("./draw-math").then(
    ({ drawMath }) => {
      drawing = drawMath;
      return drawMath;
    },
    () => {
      loading = null;
      return null;
    },
  );
  return loading;
}
