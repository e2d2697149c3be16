"use client";
import { type ReactNode, useContext, useState } from "react";
import { FieldError, FieldErrorContext, type FieldErrorRenderProps } from "react-aria-components/FieldError";
import { classNames } from "@/lib/client/ui/class-names";
import { usePointerHeld } from "@/lib/client/ui/input/use-pointer-held";

interface FieldProblemProps {
  /** Ours, where the server found one. */
  message: ReactNode | undefined;
  minLength: number | undefined;
}

/**
 * What is wrong with the field around it. It appears and goes only while no pointer is down, and its line stays: a
 * click on the form's button meets the button where it was.
 */
export function FieldProblem({ message, minLength }: FieldProblemProps) {
  const validation = useContext(FieldErrorContext);
  const isHeld = usePointerHeld();
  const [shown, setShown] = useState({ validation, message });
  if (!isHeld && (shown.validation !== validation || shown.message !== message)) setShown({ validation, message });
  const [wasInvalid, setWasInvalid] = useState(false);
  if (shown.validation?.isInvalid && !wasInvalid) setWasInvalid(true);
  return (
    <FieldErrorContext value={shown.validation}>
      <div className={classNames("text-xs text-fail-text", wasInvalid && "min-h-4")}>
        <FieldError>{shown.message ?? ((found) => browserProblem(found, minLength))}</FieldError>
      </div>
    </FieldErrorContext>
  );
}

/** What the browser finds wrong with a field; each browser words it differently. */
function browserProblem({ validationDetails, validationErrors }: FieldErrorRenderProps, minLength = 0): string {
  if (validationDetails.valueMissing) return "This field is required.";
  if (validationDetails.tooShort) return `Use at least ${minLength} characters.`;
  if (validationDetails.typeMismatch) return "Enter an address such as ada@example.org.";
  return validationErrors.join(" ");
}
