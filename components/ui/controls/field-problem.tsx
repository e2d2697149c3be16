"use client";
import { type ReactNode, useContext, useState } from "react";
import { FieldError, FieldErrorContext, type FieldErrorRenderProps } from "react-aria-components/FieldError";
import { classNames } from "@/lib/client/ui/class-names";
import { usePointerHeld } from "@/lib/client/ui/input/use-pointer-held";

interface FieldProblemProps {
  /** The server's problem, in our words. */
  message: ReactNode | undefined;
  minLength: number | undefined;
}

/**
 * The problem of the surrounding field. It appears and disappears only while no pointer is down, and its line remains,
 * so that the form's button does not move under a click.
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

/** The browser's own validation; each browser words it differently. */
function browserProblem({ validationDetails, validationErrors }: FieldErrorRenderProps, minLength = 0): string {
  if (validationDetails.valueMissing) return "This field is required.";
  if (validationDetails.tooShort) return `Use at least ${minLength} characters.`;
  if (validationDetails.typeMismatch) return "Enter an address such as ada@example.org.";
  return validationErrors.join(" ");
}
