"use client";
import { Search, X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { SearchField as AriaSearchField } from "react-aria-components/SearchField";
import { Text } from "react-aria-components/Text";
import { TextArea as AriaTextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField";
import { Kbd } from "@/components/ui/kbd";
import { useEarlyTyping } from "@/lib/client/chat/composer/use-early-typing";
import { classNames } from "@/lib/client/ui/class-names";
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
  /** More than one line when set. */
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

export interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** The key that moves focus here, shown inside while empty. */
  shortcut?: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  className?: string;
}

/** Escape clears it. */
export function SearchField({ label, placeholder, shortcut, inputRef, className, ...props }: SearchFieldProps) {
  const ownRef = useRef<HTMLInputElement>(null);
  const field = inputRef ?? ownRef;
  useEarlyTyping({ field, value: props.value, onChange: props.onChange });
  return (
    <AriaSearchField
      {...props}
      aria-label={label}
      className={classNames(
        "group flex h-8 items-center gap-2 rounded-md border border-border bg-surface pr-1.5 pl-2.5 text-subtle touch-row focus-within:border-focus focus-within:ring-1 focus-within:ring-focus",
        className,
      )}
    >
      <Search className="size-3.5 shrink-0" aria-hidden />
      <Input
        ref={field}
        placeholder={placeholder}
        className="min-w-0 flex-1 bg-transparent text-sm text-foreground outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {shortcut === undefined ? null : (
        <span className="hidden group-data-[empty]:inline-flex">
          <Kbd>{shortcut}</Kbd>
        </span>
      )}
      <AriaButton
        className="flex size-5 items-center justify-center rounded-sm text-muted group-data-[empty]:hidden hover:bg-default"
        aria-label="Clear search"
      >
        <X className="size-3.5" aria-hidden />
      </AriaButton>
    </AriaSearchField>
  );
}
