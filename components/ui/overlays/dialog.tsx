"use client";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog";
import { Modal } from "react-aria-components/Modal";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { classNames } from "@/lib/client/ui/class-names";
import { ClosableOverlay } from "./closable-overlay";

const BACKDROP = "overlay-motion fixed inset-0 z-40 bg-backdrop";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl";
  /** Only its buttons close it: what it shows can't be seen again, and a click outside is easily made by accident. */
  stays?: boolean;
}

const SIZES = { sm: "max-w-[420px]", md: "max-w-[560px]", lg: "max-w-[840px]", xl: "max-w-[1120px]" };

/** Focus is trapped inside and returns to the opener. A bottom sheet on a phone. */
export function Dialog({ title, isOpen, onClose, children, actions, size = "md", stays = false }: DialogProps) {
  return (
    <ClosableOverlay
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={!stays}
      isKeyboardDismissDisabled={stays}
      className={classNames(
        BACKDROP,
        "flex items-start justify-center p-4 pt-[10vh] max-sm:items-end max-sm:p-0 max-sm:pt-10",
      )}
    >
      <Modal
        className={classNames(
          "flex max-h-full w-full flex-col overflow-hidden rounded-lg bg-overlay shadow-overlay max-sm:rounded-t-4xl max-sm:rounded-b-none",
          SIZES[size],
        )}
      >
        <AriaDialog className="flex min-h-0 flex-col outline-none">
          <header className="flex h-12 shrink-0 items-center gap-2 border-b border-border pr-2 pl-4">
            <Heading slot="title" className="min-w-0 flex-1 truncate text-sm font-semibold">
              {title}
            </Heading>
            <IconButton label="Close" onPress={onClose}>
              <X />
            </IconButton>
          </header>
          <div className="min-h-0 overflow-y-auto p-4 [--scroll-ground:var(--overlay)]">{children}</div>
          {actions ? (
            <footer className="flex shrink-0 justify-end gap-2 border-t border-border px-4 py-3">{actions}</footer>
          ) : null}
        </AriaDialog>
      </Modal>
    </ClosableOverlay>
  );
}

export interface ConfirmDialogProps {
  title: string;
  /** The consequence, in one sentence. */
  children: ReactNode;
  /** A verb for the action: "Delete agent". */
  confirmLabel: string;
  /** Default: true. False for what destroys nothing. */
  isDanger?: boolean;
  isOpen: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, isDanger = true, isOpen, onConfirm, onClose } = props;
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      size="sm"
      actions={
        <>
          <Button variant="ghost" onPress={onClose}>
            Cancel
          </Button>
          <ConfirmButton
            isDanger={isDanger}
            onConfirm={() => {
              onConfirm();
              onClose();
            }}
          >
            {confirmLabel}
          </ConfirmButton>
        </>
      }
    >
      <p className="text-sm text-muted">{children}</p>
    </Dialog>
  );
}

interface ConfirmButtonProps {
  isDanger: boolean;
  onConfirm: () => void;
  children: string;
}

/** Acts only once: while fading out, the dialog is there long enough for a double click. */
function ConfirmButton({ isDanger, onConfirm, children }: ConfirmButtonProps) {
  const isConfirmed = useRef(false);
  return (
    <Button
      variant={isDanger ? "danger" : "primary"}
      onPress={() => {
        if (isConfirmed.current) return;
        isConfirmed.current = true;
        onConfirm();
      }}
    >
      {children}
    </Button>
  );
}
