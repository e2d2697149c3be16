"use client";
import { Check, ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Button as AriaButton } from "react-aria-components/Button";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { SearchField } from "react-aria-components/SearchField";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { Text } from "react-aria-components/Text";
import { classNames } from "@/lib/client/ui/class-names";
import { fold } from "@/lib/schema/fold";
import { BARE_SELECT } from "./select-look";
import { FIELD, FIELD_LABEL } from "./text-field";

/** A longer list has a field to search it. */
const MANY_OPTIONS = 12;

interface SelectOption {
  id: string;
  name: string;
  /** A second line in the list. */
  description?: string;
  icon?: ReactNode;
}

export interface SelectProps {
  label: string;
  /** Undefined while they are being loaded. */
  options: readonly SelectOption[] | undefined;
  value: string | null;
  onChange: (id: string) => void;
  placeholder?: string;
  isDisabled?: boolean;
  isInvalid?: boolean;
  errorMessage?: string;
  /** `field` is a form field with its label above; `bare` is for a toolbar and keeps its label for screen readers. */
  look?: "field" | "bare";
  className?: string;
  /** Opens as soon as it is mounted. */
  startsOpen?: boolean;
}

export function Select({
  label,
  options,
  value,
  onChange,
  placeholder = "Choose",
  look = "field",
  errorMessage,
  className,
  startsOpen = false,
  ...props
}: SelectProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!startsOpen) return;
    button.current?.focus({ preventScroll: true });
    setOpen(true);
  }, [startsOpen]);
  return (
    <AriaSelect
      {...props}
      allowsEmptyCollection
      isOpen={isOpen}
      onOpenChange={setOpen}
      aria-label={look === "bare" ? label : undefined}
      value={value}
      onChange={(key) => {
        if (key !== null) onChange(String(key));
      }}
      placeholder={placeholder}
      className={classNames("min-w-0", look === "field" && "flex flex-col gap-1", className)}
    >
      {look === "field" ? <Label className={FIELD_LABEL}>{label}</Label> : null}
      <AriaButton
        ref={button}
        className={
          look === "field" ? classNames(FIELD, "flex h-8 items-center gap-2 text-left touch-row") : BARE_SELECT
        }
      >
        <SelectValue className="min-w-0 flex-1 truncate data-[placeholder]:text-subtle">
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <ChevronDown className="size-3.5 shrink-0 text-subtle" aria-hidden />
      </AriaButton>
      <FieldError className="text-xs text-fail-text">{errorMessage}</FieldError>
      <Popover
        offset={4}
        className="overlay-motion max-h-80 max-w-[calc(100vw-24px)] min-w-(--trigger-width) overflow-y-auto rounded-lg bg-overlay p-1 shadow-overlay"
      >
        {options !== undefined && options.length > MANY_OPTIONS ? (
          <Autocomplete filter={(text, search) => fold(text).includes(fold(search.trim()))}>
            <SearchField aria-label={`Find: ${label}`} autoFocus className="sticky top-0 z-1 bg-overlay p-1">
              <Input placeholder="Find" className={classNames(FIELD, "h-8 w-full text-sm touch-row")} />
            </SearchField>
            <Options options={options} />
          </Autocomplete>
        ) : (
          <Options options={options} />
        )}
      </Popover>
    </AriaSelect>
  );
}

function Options({ options }: Pick<SelectProps, "options">) {
  const emptyText =
    options === undefined ? "Loading…" : options.length === 0 ? "Nothing to choose from yet" : "Nothing found";
  return (
    <ListBox
      items={options ?? []}
      className="outline-none"
      renderEmptyState={() => <p className="px-2 py-1.5 text-sm text-muted">{emptyText}</p>}
    >
      {(option) => <SelectRow option={option} />}
    </ListBox>
  );
}

function SelectRow({ option }: { option: SelectOption }) {
  return (
    <ListBoxItem
      id={option.id}
      textValue={option.name}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 text-sm outline-none touch-row data-[focused]:bg-default"
    >
      {({ isSelected }) => (
        <>
          {option.icon}
          <span className="min-w-0 flex-1">
            <span className="block truncate">{option.name}</span>
            {option.description ? (
              <Text slot="description" className="block max-w-80 truncate text-xs text-muted">
                {option.description}
              </Text>
            ) : null}
          </span>
          <Check className={classNames("size-3.5 shrink-0", !isSelected && "invisible")} aria-hidden />
        </>
      )}
    </ListBoxItem>
  );
}
