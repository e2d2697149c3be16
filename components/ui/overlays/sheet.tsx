"use client";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

const LoadedSheet = lazy(async () => ({ default: (await loadWithRetry(() => import("./loaded-sheet"))).LoadedSheet }));

export interface SheetProps {
  label: string;
  isOpen: boolean;
  onClose: () => void;
  side?: "left" | "right" | "bottom";
  children: ReactNode;
}

/**
 * A drawer over the page: the thread list, the side panel and details on narrow screens. Loaded when it first opens, and
 * then kept, so that it can close with a motion.
 */
export function Sheet(props: SheetProps) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <LoadedSheet {...props} />
    </Suspense>
  );
}
