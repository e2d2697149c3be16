/** Fills an element with a formula; false when it isn't one that can be drawn. */
export type DrawMath = (element: HTMLElement, formula: string, isBlock: boolean) => boolean;

let drawing: DrawMath | null = null;
let loading: Promise<DrawMath | null> | null = null;

/** What draws formulas, when it has been loaded. */
export function drawMathNow(): DrawMath | null {
  return drawing;
}

/** Loads KaTeX with its style sheet and fonts; null when the server can't be reached, and the next formula tries again. */
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
