import { loadMath } from "@/lib/client/ui/markdown/load-math";
import type { markdownExtensions } from "@/lib/client/ui/markdown/markdown-extensions";
import { mayHaveMath } from "@/lib/client/ui/markdown/open-formula";
import type { FootnotedText } from "./footnotes";
import type { drawExtra } from "./markdown-extras";

interface MarkdownExtras {
  readonly markdownExtensions: typeof markdownExtensions;
  readonly FootnotedText: typeof FootnotedText;
  readonly drawExtra: typeof drawExtra;
}

let extras: MarkdownExtras | null = null;
let loading: Promise<void> | null = null;
/** Whether formulas can be drawn, or it is known that they can't. */
let isMathSettled = false;
const NEEDED = /\$|\\[([]|\[\^|<details[\s>]|!\[/u;

/** Whether a text may have math, footnotes, details or images. */
export function needsExtras(text: string): boolean {
  return NEEDED.test(text);
}

/** Reads and draws them; null until the first text that may have them has loaded it. */
export function markdownExtras(): MarkdownExtras | null {
  return extras;
}

/** Whether everything is there that a text may need. */
export function canDraw(text: string): boolean {
  return extras !== null && (isMathSettled || !mayHaveMath(text));
}

/** A text as far as it can be drawn without them: up to the paragraph that has the first. */
export function beforeExtras(text: string): string {
  const paragraph = text.lastIndexOf("\n\n", text.search(NEEDED));
  return paragraph === -1 ? "" : text.slice(0, paragraph);
}

/** With what draws formulas, or without. If the server can't be reached the text stays as it is; the next one retries. */
export async function loadExtras(hasMath: boolean): Promise<void> {
  await Promise.all([loadReader(), hasMath ? loadMath() : null]);
  if (hasMath) isMathSettled = true;
}

function loadReader(): Promise<void> {
  loading ??= Promise.all([
    import("@/lib/client/ui/markdown/markdown-extensions"),
    import("./footnotes"),
    import("./markdown-extras"),
  ]).then(
    ([{ markdownExtensions }, { FootnotedText }, { drawExtra }]) => {
      extras = { markdownExtensions, FootnotedText, drawExtra };
    },
    () => {
      loading = null;
    },
  );
  return loading;
}
