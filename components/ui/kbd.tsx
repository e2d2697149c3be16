import type { ReactNode } from "react";

/** A key; hidden where there is no keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-border bg-surface px-1 font-sans text-2xs leading-none text-muted pointer-coarse:hidden">
      {children}
    </kbd>
  );
}
