"use client";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import { fold } from "@/lib/schema/fold";
import { SearchField } from "./search-field";
import { FIELD_LABEL } from "./text-field";

interface CheckOption {
  readonly id: string;
  readonly name: string;
  /** In grey after the name. */
  readonly hint?: string;
}

export interface CheckListProps {
  label: string;
  options: readonly CheckOption[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** In place of a list without options. */
  empty?: string;
  errorMessage?: string;
}

const MANY = 10;

/**
 * A list with several choices. A long list can be searched without losing choices, and starts with those already made
 * when it opens.
 */
export function CheckList({ label, options, value, onChange, empty, errorMessage }: CheckListProps) {
  const [search, setSearch] = useState("");
  const [chosenFirst] = useState(() => new Set(value));
  const wanted = fold(search.trim());
  const isLong = options.length > MANY;
  const rank = ({ id }: CheckOption) => (isLong && chosenFirst.has(id) ? 0 : 1);
  const sorted = options.toSorted((a, b) => rank(a) - rank(b));
  const shown = sorted.filter(({ name, hint = "" }) => fold(`${name} ${hint}`).includes(wanted));
  const hidden = value.filter((id) => !shown.some((option) => option.id === id));
  return (
    <CheckboxGroup
      value={value.filter((id) => !hidden.includes(id))}
      onChange={(ids) => onChange([...hidden, ...ids])}
      isInvalid={errorMessage !== undefined}
      className="flex flex-col gap-0.5"
    >
      <Label className={FIELD_LABEL}>{label}</Label>
      {isLong ? (
        <SearchField label={`Search in ${label}`} placeholder="Search" value={search} onChange={setSearch} />
      ) : null}
      {options.length === 0 && empty !== undefined ? <p className="text-sm text-muted">{empty}</p> : null}
      <div className="flex max-h-52 flex-col overflow-y-auto">
        {shown.map(({ id, name, hint }) => (
          <Checkbox key={id} value={id} className="flex min-h-7 shrink-0 items-center gap-2 text-sm touch-row">
            {({ isSelected, isFocusVisible }) => (
              <>
                <span
                  aria-hidden="true"
                  className={`flex size-3.5 shrink-0 items-center justify-center rounded-xs border text-2xs leading-none ${
                    isSelected ? "border-accent bg-accent text-accent-foreground" : "border-border-strong"
                  } ${isFocusVisible ? "ring-2 ring-focus ring-offset-1" : ""}`}
                >
                  {isSelected ? "✓" : ""}
                </span>
                <span className="truncate">{name}</span>
                {hint === undefined ? null : <span className="truncate text-xs text-muted">{hint}</span>}
              </>
            )}
          </Checkbox>
        ))}
      </div>
      {errorMessage === undefined ? null : <p className="text-xs text-fail-text">{errorMessage}</p>}
    </CheckboxGroup>
  );
}
