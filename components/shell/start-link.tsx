"use client";
import { type ButtonVariant, LinkButton } from "@/components/ui/controls/button";
import { useShell } from "./shell-context";

export interface StartLinkProps {
  variant?: ButtonVariant;
  children: string;
}

/** The link to a new thread, for those who may start one. */
export function StartLink({ variant, children }: StartLinkProps) {
  if (!useShell().viewer.scopes.includes("chat")) return null;
  return (
    <LinkButton href="/" variant={variant}>
      {children}
    </LinkButton>
  );
}
