import type { ReactNode } from "react";
import type { RunStatus } from "@/lib/schema/runs/run";
import { StateRing } from "./state-ring";

export interface NoticeProps {
  status: RunStatus;
  /** What happened, in a sentence. */
  title: string;
  /** The consequence. */
  children?: ReactNode;
  /** At most two buttons. */
  actions?: ReactNode;
  /** Rows below it, each with a sentence and a button. */
  choices?: ReactNode;
  /** One line at its end, such as an error code. */
  foot?: ReactNode;
}

/** A card in the transcript or on a page: glyph, title, consequence, actions. */
export function Notice({ status, title, children, actions, choices, foot }: NoticeProps) {
  return (
    <article className="rounded-lg border border-border bg-surface">
      <div className="flex items-start gap-3 py-2.5 pr-2.5 pl-3 max-sm:flex-wrap">
        <span className="flex h-5 items-center">
          <StateRing status={status} size={15} labelled />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-sm font-medium break-words">{title}</h2>
          {children ? <div className="text-sm break-words text-muted">{children}</div> : null}
        </div>
        {actions ? <span className="flex shrink-0 gap-1 empty:hidden max-sm:w-full max-sm:pl-6">{actions}</span> : null}
      </div>
      {choices}
      {foot ? (
        <div className="flex min-h-9 items-center gap-1 border-t border-separator py-1 pr-2.5 pl-[39px] text-xs text-muted">
          {foot}
        </div>
      ) : null}
    </article>
  );
}
