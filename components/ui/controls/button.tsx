"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";
import { PressButton, type PressButtonProps } from "./press-button";

export type ButtonVariant = "primary" | "outline" | "ghost" | "danger" | "danger-ghost";
type ButtonSize = "sm" | "md";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-100 select-none touch-row disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&>svg]:size-[15px] [&>svg]:shrink-0";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-accent text-accent-foreground hover:bg-accent/88 active:bg-accent/80",
  outline: "border border-border-strong bg-surface text-foreground hover:bg-default",
  ghost: "text-foreground hover:bg-default",
  danger: "bg-danger text-danger-foreground hover:bg-danger/90",
  "danger-ghost": "text-fail-text hover:bg-fail-soft",
};

const SIZES: Record<ButtonSize, string> = { sm: "h-7 px-2.5 text-xs", md: "h-8 px-3 text-sm" };

export interface ButtonProps extends PressButtonProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
  children: ReactNode;
}

/** Labelled with a verb. One `primary` per page; `isPending` keeps focus and width. */
export function Button({ variant = "outline", size = "sm", className, children, ...props }: ButtonProps) {
  return (
    <PressButton {...props} className={classNames(BASE, VARIANTS[variant], SIZES[size], className)}>
      {children}
    </PressButton>
  );
}

export interface LinkButtonProps {
  href: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
  /** For one that shows only its icon. */
  title?: string;
  children: ReactNode;
}

/** A link that looks like a button: it navigates, so it stays a link. */
export function LinkButton({ href, variant = "outline", size = "sm", className, title, children }: LinkButtonProps) {
  return (
    <Link href={href} title={title} className={classNames(BASE, VARIANTS[variant], SIZES[size], className)}>
      {children}
    </Link>
  );
}
