"use client";
import type { ReactNode } from "react";
import { Tooltip as AriaTooltip, TooltipTrigger } from "react-aria-components/Tooltip";
import { Kbd } from "@/components/ui/kbd";

export interface TooltipProps {
  label: ReactNode;
  shortcut?: string;
  placement?: "top" | "bottom" | "left" | "right";
  /** A focusable kit control. */
  children: ReactNode;
}

/** Repeats the control's own name; never the only place for a fact. */
export function Tooltip({ label, shortcut, placement = "bottom", children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip
        placement={placement}
        offset={4}
        className="overlay-motion z-50 flex max-w-72 items-center gap-1.5 rounded-md bg-overlay px-2 py-1 text-xs text-foreground shadow-overlay pointer-coarse:hidden"
      >
        {label}
        {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
