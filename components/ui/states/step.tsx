import type { ReactNode } from "react";

export interface StepProps {
  glyph: ReactNode;
  children: ReactNode;
  isLast?: boolean;
}

/** One step of a transcript: the glyph hangs in the gutter, a hairline joins the steps. */
export function Step({ glyph, children, isLast = false }: StepProps) {
  return (
    <div className="relative flex gap-3 pb-3">
      {isLast ? null : <span aria-hidden="true" className="absolute top-6 bottom-0 left-[11px] w-px bg-border" />}
      <span className="relative z-1 flex h-6 w-6 shrink-0 items-center justify-center">{glyph}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** The glyph of a step that is neither state nor speech. */
export function StepDot() {
  return <span className="size-1.5 rounded-full bg-border-strong" />;
}
