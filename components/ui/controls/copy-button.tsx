"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { classNames } from "@/lib/client/ui/class-names";
import { copyText } from "@/lib/client/ui/text/copy-text";
import { showToast } from "@/lib/client/ui/toast-store";
import { ICON_BUTTON, ICON_BUTTON_SIZES } from "./icon-button";

const SHOWN_MS = 1500;

export interface CopyButtonProps {
  text: string | (() => string);
  label?: string;
  size?: "xs" | "sm";
  className?: string;
  /** -1 in a group whose arrow keys lead here (`moveWithArrows`). */
  tabIndex?: number;
}

/** Turns into a tick for a moment. A plain button: every message and call has one, and they appear while scrolling. */
export function CopyButton({ text, label = "Copy", size = "xs", className, tabIndex }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await copyText(typeof text === "string" ? text : text());
      setCopied(true);
    } catch {
      showToast({ title: "The browser blocked copying", tone: "error" });
    }
  };
  const name = copied ? "Copied" : label;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={name}
      title={name}
      className={classNames(ICON_BUTTON, ICON_BUTTON_SIZES[size], className)}
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
    </button>
  );
}
