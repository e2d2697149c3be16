import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";

/** Says that an environment variable fixes it, and which. */
export function FixedBy({ variable }: { variable: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <LockKeyhole className="size-3.5 shrink-0" aria-hidden />
      <span>
        Set by <code className="font-mono text-foreground">{variable}</code>. Remove it from the environment and restart
        to change it here.
      </span>
    </span>
  );
}

export interface SectionBodyProps {
  /** The effect of this page's settings, in a sentence. */
  intro: ReactNode;
  children: ReactNode;
}

/** A page with few fields: one column. */
export function SectionBody({ intro, children }: SectionBodyProps) {
  return (
    <div className="flex max-w-[640px] flex-col gap-4 px-5 py-4 max-sm:px-4">
      <p className="text-sm text-muted">{intro}</p>
      {children}
    </div>
  );
}
