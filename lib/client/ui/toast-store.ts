export interface ToastOptions {
  readonly title: string;
  readonly description?: string;
  readonly tone?: "info" | "error";
  readonly onUndo?: () => void;
}

export interface Toast extends ToastOptions {
  readonly id: number;
}

const SHORT_MS = 5000;
const LONG_MS = 8000;

interface Clock {
  setTimeout: (run: () => void, delayMs: number) => unknown;
  clearTimeout: (timer: never) => void;
}

/** The queue behind `showToast`: at most four at once, the oldest leaves first. */
export function createToastStore(clock: Pick<typeof globalThis, "setTimeout" | "clearTimeout"> | Clock = globalThis) {
  const none: readonly Toast[] = [];
  let toasts = none;
  let nextId = 1;
  const timers = new Map<number, unknown>();
  const listeners = new Set<() => void>();

  const publish = (next: readonly Toast[]) => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  const stopTimer = (id: number) => {
    clock.clearTimeout(timers.get(id) as never);
    timers.delete(id);
  };
  const remove = (id: number) => {
    stopTimer(id);
    publish(toasts.filter((toast) => toast.id !== id));
  };
  const startTimer = (toast: Toast) => {
    const lifeMs = toast.onUndo || toast.tone === "error" ? LONG_MS : SHORT_MS;
    timers.set(
      toast.id,
      clock.setTimeout(() => remove(toast.id), lifeMs),
    );
  };

  return {
    read: () => toasts,
    /** What the server renders with: the same list as at first here, so that nothing is rendered twice. */
    readNone: () => none,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    add(options: ToastOptions): () => void {
      const undo = options.onUndo;
      const id = nextId;
      nextId += 1;
      const onUndo = undo
        ? () => {
            remove(id);
            undo();
          }
        : undefined;
      const toast: Toast = { ...options, id, onUndo };
      for (const old of toasts.slice(0, Math.max(0, toasts.length - 3))) remove(old.id);
      publish([...toasts, toast]);
      startTimer(toast);
      return () => remove(id);
    },
    close: remove,
    pause: () => {
      for (const id of timers.keys()) stopTimer(id);
    },
    resume: () => {
      for (const toast of toasts) if (!timers.has(toast.id)) startTimer(toast);
    },
  };
}

/** The toasts of this page. */
export const toastStore = createToastStore();

/** Says what happened; `onUndo` keeps it open longer and offers an undo. Returns a function that closes it. */
export function showToast(options: ToastOptions): () => void {
  return toastStore.add(options);
}
