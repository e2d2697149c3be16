"use client";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal } from "react-aria-components/Modal";
import { classNames } from "@/lib/client/ui/class-names";
import { ClosableOverlay } from "./closable-overlay";
import type { SheetProps } from "./sheet";

const SIDES = {
  left: "left-0 inset-y-0 w-[min(88vw,320px)] border-r",
  right: "right-0 inset-y-0 w-[min(86vw,400px)] border-l",
  bottom: "inset-x-0 bottom-0 max-h-[85dvh] rounded-t-4xl border-t",
};

/** The drawer itself. */
export function LoadedSheet({ label, isOpen, onClose, side = "right", children }: SheetProps) {
  return (
    <ClosableOverlay isOpen={isOpen} onClose={onClose} className="overlay-motion fixed inset-0 z-40 bg-backdrop">
      <Modal
        className={classNames(
          "panel-motion fixed flex flex-col overflow-hidden border-border bg-background shadow-overlay",
          SIDES[side],
        )}
      >
        <AriaDialog aria-label={label} className="flex min-h-0 flex-1 flex-col outline-none">
          {children}
        </AriaDialog>
      </Modal>
    </ClosableOverlay>
  );
}
