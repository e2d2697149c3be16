import { ModalOverlay, type ModalOverlayProps } from "react-aria-components/Modal";

export interface ClosableOverlayProps extends Omit<ModalOverlayProps, "onOpenChange"> {
  onClose: () => void;
}

/** The backdrop of a modal: a click on it closes, unless `isDismissable` is false. */
export function ClosableOverlay({ onClose, isDismissable = true, ...props }: ClosableOverlayProps) {
  return (
    <ModalOverlay
      {...props}
      isDismissable={isDismissable}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    />
  );
}
