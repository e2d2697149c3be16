"use client";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { ButtonComponentContext, type PressButtonProps } from "@/components/ui/controls/press-button";

/** Buttons below are the library's, whose menus and file pickers find their trigger that way. */
export function AriaTriggers({ children }: { children: ReactNode }) {
  return <ButtonComponentContext value={LibraryButton}>{children}</ButtonComponentContext>;
}

function LibraryButton({ isPending = false, isDisabled = false, ...props }: PressButtonProps) {
  return <AriaButton {...props} isPending={isPending} isDisabled={isDisabled} />;
}
