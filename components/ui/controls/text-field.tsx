"use client";
import { type ReactNode, useRef } from "react";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea as AriaTextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField";
import { classNames } from "@/lib/client/ui/class-names";
import { useEarlyTyping } from "@/lib/client/ui/input/use-early-typing";
import { FieldProblem } from "./field-problem";

export const FIELD =
  "w-full rounded-md border border-border-strong bg-field px-2.5 text-sm text-foreground outline-none focus:border-focus focus:ring-1 focus:ring-focus disabled:opacity-60 user-invalid:border-fail data-[invalid]:border-fail";
export const FIELD_LABEL = "text-xs font-medium text-muted";

export interface TextFieldProps extends Omit<AriaTextFieldProps, "className" | "children"> {
  label: string;
  /** Below the field, before any error. */
  description?: ReactNode;
  errorMessage?: string;
  placeholder?: string;
  /** More than one line if set. */
  rows?: number;
  mono?: boolean;
  className?: string;
}

/** A labelled field; `rows` makes it a text area. Set `isInvalid` and `errorMessage` together. */
export function TextField({
  label,
  description,
  errorMessage,
  placeholder,
  rows,
  mono,
  className,
  autoFocus = false,
  ...props
}: TextFieldProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const mayTakeFocus = useEarlyTyping({ field, value: props.value, onChange: props.onChange });
  const look = classNames(FIELD, mono && "font-mono text-xs");
  return (
    <AriaTextField
      // A value that the server refused must not keep the browser from resubmitting it: it may be right by now.
      validationBehavior={props.isInvalid === true ? "aria" : "native"}
      {...props}
      autoFocus={autoFocus && mayTakeFocus}
      className={classNames("flex flex-col gap-1", className)}
    >
      <Label className={FIELD_LABEL}>{label}</Label>
      {rows === undefined ? (
        <Input ref={field} placeholder={placeholder} className={classNames(look, "h-8 touch-row")} />
      ) : (
        <AriaTextArea
          ref={field}
          rows={rows}
          placeholder={placeholder}
          className={classNames(look, "resize-y py-1.5 pointer-coarse:leading-6")}
        />
      )}
      {description === undefined ? null : (
        <Text slot="description" className="text-xs text-muted">
          {description}
        </Text>
      )}
      <FieldProblem message={errorMessage} minLength={props.minLength} />
    </AriaTextField>
  );
}
