import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";

export interface TagProps {
  children: ReactNode;
  mono?: boolean;
  className?: string;
  title?: string;
}

/** A quiet fact: neutral, never clickable. */
export function Tag({ children, mono = false, className, title }: TagProps) {
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex h-5 items-center gap-1 rounded-sm bg-default px-1.5 text-xs whitespace-nowrap text-muted",
        mono && "font-mono text-2xs",
        className,
      )}
    >
      {children}
    </span>
  );
}

/** A small round number; `signal` only for what waits for a person. */
export function Count({ children, signal = false }: { children: ReactNode; signal?: boolean }) {
  return (
    <span
      className={classNames(
        "tnum inline-flex h-4 min-w-4 items-center justify-center rounded-full px-1 text-2xs leading-none font-medium",
        signal ? "bg-signal text-signal-foreground" : "bg-default text-muted",
      )}
    >
      {children}
    </span>
  );
}
