"use client";
import { Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useRef } from "react";
import { Kbd } from "@/components/ui/kbd";
import { classNames } from "@/lib/client/ui/class-names";
import { useEarlyTyping } from "@/lib/client/ui/input/use-early-typing";

export interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  onEnter?: (event: KeyboardEvent) => void;
  /** The key that moves focus here, shown inside while empty. */
  shortcut?: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  className?: string;
}

/** Escape clears it. A plain field: it is on every page of the chat before anything else works. */
export function SearchField({
  label,
  placeholder,
  shortcut,
  inputRef,
  className,
  value,
  onChange,
  onBlur,
  onEnter,
}: SearchFieldProps) {
  const ownRef = useRef<HTMLInputElement>(null);
  const field = inputRef ?? ownRef;
  useEarlyTyping({ field, value, onChange });
  const clear = () => {
    onChange("");
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && onEnter !== undefined) {
      event.preventDefault();
      onEnter(event);
    }
    if (event.key !== "Escape" || value === "") return;
    event.preventDefault();
    event.stopPropagation();
    onChange("");
  };
  return (
    <div
      className={classNames(
        "flex h-8 items-center gap-2 rounded-md border border-border bg-surface pr-1.5 pl-2.5 text-subtle touch-row focus-within:border-focus focus-within:ring-1 focus-within:ring-focus",
        className,
      )}
    >
      <Search className="size-3.5 shrink-0" aria-hidden />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 bg-transparent text-sm text-foreground outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== "" || shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
      {value === "" ? null : (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Clear search"
          onClick={clear}
          className="flex size-5 items-center justify-center rounded-sm text-muted hover:bg-default"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
