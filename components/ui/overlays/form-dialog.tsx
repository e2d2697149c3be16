"use client";
import { type ReactNode, type Ref, useId } from "react";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { errorMessage } from "@/lib/client/http/api";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";
import { Dialog, type DialogProps } from "./dialog";

export interface FormDialogProps extends Omit<DialogProps, "actions" | "isOpen"> {
  isOpen?: boolean;
  /** A verb for the action: "Create key". */
  submitLabel: string;
  /** Ctrl or ⌘ with Enter submits from every field, even a multi-line one, and the button says so. */
  hasSubmitKeys?: boolean;
  /** "Close" if submitting changes nothing that could be cancelled. */
  cancelLabel?: string;
  /** False while the form's content can't be submitted. */
  isValid?: boolean;
  isPending?: boolean;
  /** Why the last submit failed, as it was thrown or in words; shown below the fields. */
  error?: unknown;
  /** Below the form and its error: what the submit would change, or what it found. */
  after?: ReactNode;
  onSubmit: () => void;
  /** Of a form that its own schema judges: the browser then leaves it alone. */
  formRef?: Ref<HTMLFormElement>;
}

/** Fields, a cancel button and one main button; Enter in a single-line field submits too. */
export function FormDialog({
  submitLabel,
  hasSubmitKeys = false,
  cancelLabel = "Cancel",
  isOpen = true,
  isValid = true,
  isPending = false,
  error,
  after,
  onSubmit,
  formRef,
  children,
  ...dialog
}: FormDialogProps) {
  const formId = useId();
  const attempt = useOneAtATime(isPending);
  return (
    <Dialog
      {...dialog}
      isOpen={isOpen}
      actions={
        <>
          <Button variant="ghost" onPress={dialog.onClose}>
            {cancelLabel}
          </Button>
          <Button variant="primary" type="submit" form={formId} isDisabled={!isValid} isPending={isPending}>
            {submitLabel}
            {hasSubmitKeys ? (
              <span aria-hidden className="contents max-sm:hidden">
                {" "}
                <Kbd>⌘↵</Kbd>
              </span>
            ) : null}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={formRef}
        noValidate={formRef !== undefined}
        className="flex flex-col gap-3"
        onKeyDown={(event) => {
          if (!hasSubmitKeys || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) attempt(onSubmit);
        }}
      >
        {children}
      </form>
      {error ? (
        <p role="alert" className="mt-3 rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
          {typeof error === "string" ? error : errorMessage(error)}
        </p>
      ) : null}
      {after}
    </Dialog>
  );
}
