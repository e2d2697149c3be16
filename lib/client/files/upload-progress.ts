import { useSyncExternalStore } from "react";

/** The file being uploaded with a message. */
export interface UploadProgress {
  readonly name: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
}

let current: UploadProgress | null = null;
const listeners = new Set<() => void>();

/** Null once nothing is being uploaded. */
export function tellProgress(progress: UploadProgress | null): void {
  current = progress;
  for (const listener of listeners) listener();
}

export function useUploadProgress(): UploadProgress | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => null,
  );
}
