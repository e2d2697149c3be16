"use client";
import { ArrowLeft, ChevronDown, ChevronUp, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";

export interface DetailPlace {
  /** From 1; 0 for an item that has left the list. */
  readonly position: number;
  readonly count: number;
  onStep(by: 1 | -1): void;
  /** Back to the list, which a small screen shows instead. */
  onBack(): void;
}

interface InboxDetailProps {
  icon: LucideIcon;
  title: string;
  /** Tags next to the title. */
  facts: ReactNode;
  place: DetailPlace;
  actions: ReactNode;
  children: ReactNode;
}

/** The open item: its head with the way to the others, and its content 776 px wide. */
export function InboxDetail({ icon: Icon, title, facts, place, actions, children }: InboxDetailProps) {
  const { position, count, onStep, onBack } = place;
  return (
    <>
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-border px-4 py-1.5 max-sm:px-2">
        <IconButton label="Back to the list" className="lg:hidden" onPress={onBack}>
          <ArrowLeft />
        </IconButton>
        <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
        <h2 className="min-w-0 truncate text-sm font-semibold" title={title}>
          {title}
        </h2>
        {facts}
        <span className="flex-1" />
        <span className="tnum text-xs text-muted">{position === 0 ? null : `${position} of ${count}`}</span>
        <IconButton label="Previous" shortcut="k" isDisabled={position === 1 || count === 0} onPress={() => onStep(-1)}>
          <ChevronUp />
        </IconButton>
        <IconButton label="Next" shortcut="j" isDisabled={position === count || count === 0} onPress={() => onStep(1)}>
          <ChevronDown />
        </IconButton>
        {actions}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[776px] px-6 py-5 max-sm:px-3 max-sm:py-3">{children}</div>
      </div>
    </>
  );
}
