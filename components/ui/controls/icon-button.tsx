"use client";
import type { ReactNode } from "react";
import { useTooltip } from "@/components/ui/overlays/use-tooltip";
import { classNames } from "@/lib/client/ui/class-names";
import { PressButton, type PressButtonProps } from "./press-button";

export const ICON_BUTTON =
  "relative inline-flex shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 touch-target hover:bg-default hover:text-foreground disabled:opacity-50 disabled:pointer-events-none aria-expanded:bg-default [&>svg]:shrink-0";

export const ICON_BUTTON_SIZES = {
  xs: "size-6 [&>svg]:size-3.5",
  sm: "size-7 [&>svg]:size-4",
  md: "size-9 [&>svg]:size-[17px]",
};

export interface IconButtonProps extends Omit<PressButtonProps, "aria-label"> {
  /** Read aloud and shown as a tooltip. */
  label: string;
  /** Key shown next to the label in the tooltip. */
  shortcut?: string;
  size?: keyof typeof ICON_BUTTON_SIZES;
  /** For a toggle button: whether it is on. */
  active?: boolean;
  className?: string;
  children: ReactNode;
}

/** An icon alone always has a name: `label` is required. */
export function IconButton({ label, shortcut, size = "sm", active, className, children, ...props }: IconButtonProps) {
  const { tooltip, onPointerEnter, onFocus } = useTooltip(label, shortcut);
  return (
    <>
      <PressButton
        {...props}
        aria-label={label}
        aria-pressed={active}
        onPointerEnter={onPointerEnter}
        onFocus={onFocus}
        className={classNames(ICON_BUTTON, ICON_BUTTON_SIZES[size], active && "bg-default text-foreground", className)}
      >
        {children}
      </PressButton>
      {tooltip}
    </>
  );
}
