"use client";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";

interface AccountField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly autoComplete?: string;
  readonly minLength?: number;
  readonly inputMode?: "decimal";
  readonly placeholder?: string;
  /** Default true. */
  readonly isRequired?: boolean;
  /** What is wrong with a value, said at the field before anything is sent. */
  readonly validate?: (value: string) => string | null;
  readonly description?: ReactNode;
}

export interface AccountFormProps<Name extends string> {
  fields: readonly (AccountField & { readonly name: Name })[];
  /** A verb: "Sign in". */
  action: string;
  onSubmit: (values: Readonly<Record<Name, string>>) => Promise<void>;
  /** Called when everything succeeded. */
  onDone: () => void;
  /** In a dialog: the foot is then a dialog's, with a cancel button. */
  onCancel?: () => void;
  /** The fields' initial values. */
  opened?: Partial<Record<Name, string>>;
  children?: ReactNode;
}

/** A short form over one call: a field's problems appear at the field, others above the button. */
export function AccountForm<Name extends string>({
  fields,
  action,
  onSubmit,
  onDone,
  onCancel,
  opened,
  children,
}: AccountFormProps<Name>) {
  const [values, setValues] = useState<Partial<Record<Name, string>>>(opened ?? {});
  // Several fields may report in one go: a browser fills in a whole form.
  const typed = useRef(values);
  const submit = useMutation({
    mutationFn: () => onSubmit(filled(fields, values)),
    onSuccess: onDone,
  });
  // Afterwards another page opens or the dialog closes: there is nothing left to send.
  const isBusy = submit.isPending || submit.isSuccess;
  const attempt = useOneAtATime(isBusy);
  const problems = submit.error instanceof ApiError ? submit.error.problems : new Map<string, string>();
  const isKnown = fields.some((field) => problems.has(field.name));
  return (
    <Form
      method="post"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(() => submit.mutate());
      }}
    >
      {fields.map((field, index) => (
        <TextField
          key={field.name}
          isRequired
          {...field}
          autoFocus={index === 0}
          validationBehavior="native"
          value={values[field.name] ?? ""}
          onChange={(value) => {
            typed.current = { ...typed.current, [field.name]: value };
            setValues(typed.current);
          }}
          isInvalid={problems.has(field.name) || undefined}
          errorMessage={problems.get(field.name)}
        />
      ))}
      {children}
      {submit.error && !isKnown ? (
        <p role="alert" className="rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
          {errorMessage(submit.error)}
        </p>
      ) : null}
      {onCancel ? (
        <footer className="-mx-4 mt-1 -mb-4 flex justify-end gap-2 border-t border-border px-4 py-3">
          <Button variant="ghost" onPress={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={isBusy}>
            {action}
          </Button>
        </footer>
      ) : (
        <Button type="submit" variant="primary" size="md" isPending={isBusy} className="mt-1">
          {action}
        </Button>
      )}
    </Form>
  );
}

function filled<Name extends string>(
  fields: readonly { readonly name: Name }[],
  values: Partial<Record<Name, string>>,
): Record<Name, string> {
  const entries = fields.map(({ name }) => [name, values[name] ?? ""]);
  return Object.fromEntries(entries) as Record<Name, string>;
}
