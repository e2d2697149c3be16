"use client";
import { type ReactNode, useSyncExternalStore } from "react";

/** A key; hidden on devices without a keyboard. ⌘ is shown as this computer's keyboard labels it. */
export function Kbd({ children }: { children: ReactNode }) {
  const isApple = useSyncExternalStore(never, isAppleKeyboard, () => true);
  const key = typeof children === "string" && !isApple ? children.replace("⌘", "Ctrl ") : children;
  return (
    <kbd className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-border bg-surface px-1 font-sans text-2xs leading-none whitespace-nowrap text-muted pointer-coarse:hidden">
      {key}
    </kbd>
  );
}

const never = () => () => undefined;

function isAppleKeyboard(): boolean {
  return /Mac|iPhone|iPad/u.test(navigator.userAgent);
}
