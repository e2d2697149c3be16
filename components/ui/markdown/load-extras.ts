import type { markdownExtensions } from "@/lib/client/ui/markdown/markdown-extensions";
import type { FootnotedText } from "./footnotes";
import type { drawExtra } from "./markdown-extras";

interface MarkdownExtras {
  readonly markdownExtensions: typeof markdownExtensions;
  readonly FootnotedText: typeof FootnotedText;
  readonly drawExtra: typeof drawExtra;
}

let extras: MarkdownExtras | null = null;
let loading: Promise<void> | null = null;
const NEEDED = /\$|\\[([]|\[\^|<details[\s>]|!\[/u;

/** Whether a text may have math, footnotes, details or images. */
export function needsExtras(text: string): boolean {
  return NEEDED.test(text);
}

/** Reads and draws them; null until the first text that may have them has loaded it. */
export function markdownExtras(): MarkdownExtras | null {
  return extras;
}

/** Without a connection the text stays without them, and the next one retries. */
export function loadExtras(): Promise<void> {
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
