type CloseMarks = (text: string) => string;

let closer: CloseMarks | null = null;
let loading: Promise<void> | null = null;

/** Fetches what closes marks, with the first text that streams. Until it is there, texts stay as they are. */
export function loadMarkCloser(): Promise<void> {
  loading ??= import("remend").then(
    ({ default: remend }) => {
      closer = (text) => remend(text, { katex: false });
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

/** A text still streaming, with its unfinished marks closed for display. */
export function closeMarks(text: string): string {
  return closer === null ? text : closer(text);
}
