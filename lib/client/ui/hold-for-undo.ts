import { showToast } from "./toast-store";

/** Long enough to read the line and press Undo. */
const HOLD_MS = 5_000;

export interface HeldAction {
  /** What is about to happen: "Sending again". */
  readonly title: string;
  readonly run: () => void;
  /** Undo was pressed; nothing has happened. */
  readonly onUndo?: () => void;
}

/** For what can't be taken back once it is done: it waits a moment, in which Undo keeps it from happening. */
export function holdForUndo({ title, run, onUndo }: HeldAction): void {
  const timer = setTimeout(() => {
    close();
    run();
  }, HOLD_MS);
  const close = showToast({
    title,
    onUndo: () => {
      clearTimeout(timer);
      onUndo?.();
    },
  });
}
