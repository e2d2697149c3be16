"use client";
import { type FocusEvent, lazy, type PointerEvent, type ReactNode, Suspense, useState } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

const LoadedTooltip = lazy(async () => ({
  default: (await loadWithRetry(() => import("./loaded-tooltip"))).LoadedTooltip,
}));

/** The tooltip of a button, loaded when a pointer or the keyboard first reaches the button: few ever are reached. */
export function useTooltip(label: string, shortcut: string | undefined) {
  const [trigger, setTrigger] = useState<Element | null>(null);
  const tooltip: ReactNode =
    trigger === null ? null : (
      <Suspense>
        <LoadedTooltip trigger={trigger} label={label} shortcut={shortcut} />
      </Suspense>
    );
  return {
    tooltip,
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType !== "touch") setTrigger(event.currentTarget);
    },
    onFocus: (event: FocusEvent) => {
      if (event.currentTarget.matches(":focus-visible")) setTrigger(event.currentTarget);
    },
  };
}
