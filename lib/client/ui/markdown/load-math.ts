/** Fills an element with a formula; false if it can't be drawn. */
export type DrawMath = (element: HTMLElement, formula: string, isBlock: boolean) => boolean;

let drawing: DrawMath | null = null;
let loading: Promise<DrawMath | null> | null = null;

/** The formula renderer, if it has been loaded. */
export function drawMathNow(): DrawMath | null {
  return drawing;
}

/** The fonts of most formulas: one that is drawn before they are there changes its size with them. */
const FONTS = ["1em KaTeX_Main", "italic 1em KaTeX_Math", "1em KaTeX_Size1", "1em KaTeX_Size2"];
const MOST_WAITED_MS = 1_000;

/** Loads KaTeX with its style sheet and fonts; null if the server can't be reached, and the next formula retries. */
export function loadMath(): Promise<DrawMath | null> {
  loading ??= import("./draw-math").then(
    async ({ drawMath }) => {
      await loadFonts();
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

/** Resolves at the latest after a second, with or without them. */
async function loadFonts(): Promise<void> {
  if (!("fonts" in document)) return;
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MOST_WAITED_MS);
  const loaded = Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
  await Promise.race([loaded, enough]);
  clearTimeout(timer);
}
