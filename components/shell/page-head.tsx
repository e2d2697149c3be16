"use client";
import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";

export interface PageHeadProps {
  title: ReactNode;
  /** Tags and chips next to the title. */
  facts?: ReactNode;
  /** Buttons on the right, the main one last. */
  actions?: ReactNode;
  /** On a phone the actions are in their own line below the title. */
  hasWideActions?: boolean;
  /** Before the title: back, or the button of a list that is a drawer here. */
  lead?: ReactNode;
}

/** 48 px, or 56 where buttons are 44: title, facts, actions. */
export function PageHead({ title, facts, actions, hasWideActions = false, lead }: PageHeadProps) {
  return (
    <header
      className={classNames(
        "flex h-12 shrink-0 items-center gap-2 border-b pointer-coarse:h-14 border-border bg-surface pr-3 pl-5 max-md:pl-4",
        hasWideActions && "max-sm:h-auto max-sm:flex-wrap max-sm:py-2 max-sm:pointer-coarse:h-auto",
      )}
    >
      {lead}
      <h1 className="min-w-0 truncate text-sm font-semibold">{title}</h1>
      {facts}
      <span className="flex-1" />
      {hasWideActions ? <span className="flex min-w-0 items-center gap-1 max-sm:w-full">{actions}</span> : actions}
    </header>
  );
}
