"use client";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Dialog } from "./dialog";

interface ShownOnceDialogProps {
  title: string;
  /** What it gives to whoever has it. */
  explanation: ReactNode;
  value: string;
  copyLabel: string;
  onClose: () => void;
  /** Other ways to hand it on. */
  children?: ReactNode;
}

/** A key, a link or a secret that is never shown again: the dialog stays until it is closed on purpose. */
export function ShownOnceDialog({ title, explanation, value, copyLabel, onClose, children }: ShownOnceDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen
      stays
      onClose={onClose}
      size="sm"
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p className="text-sm text-muted">{explanation}</p>
      <div className="mt-3 flex items-center gap-2 rounded-md border border-border bg-code py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-xs break-all">{value}</code>
        <CopyButton text={value} label={copyLabel} size="sm" />
      </div>
      {children}
    </Dialog>
  );
}
