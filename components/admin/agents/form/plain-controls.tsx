"use client";
import { useState } from "react";
import { FIELD } from "@/components/ui/controls/text-field";
import { isSame } from "@/lib/client/agents/config-text/config-values";
import type { FieldControl } from "@/lib/client/agents/form/form-field";
import { classNames } from "@/lib/client/ui/class-names";

/** Props of every form control. An undefined value means that the config does not set it. */
export interface ControlProps {
  id: string;
  value: unknown;
  /** The field's effective value while it is not set. */
  fallback: unknown;
  onChange: (value: unknown) => void;
  aria: {
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
    "aria-label"?: string;
  };
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An emptied field is unset, unless it is required. */
function orUnset(text: string, { value, fallback }: ControlProps): unknown {
  return text === "" && (fallback !== undefined || value === undefined) ? undefined : text;
}

export function TextControl({
  control,
  ...props
}: ControlProps & { control: Extract<FieldControl, { kind: "text" }> }) {
  const { id, value, fallback, onChange, aria } = props;
  return (
    <input
      id={id}
      {...aria}
      value={shown(value)}
      placeholder={shown(fallback)}
      onChange={(event) => onChange(orUnset(event.target.value, props))}
      className={classNames(FIELD, "h-8 touch-row aria-invalid:border-fail", control.isMono && "font-mono text-xs")}
    />
  );
}

export function LongControl({
  control,
  ...props
}: ControlProps & { control: Extract<FieldControl, { kind: "long" }> }) {
  const { id, value, onChange, aria } = props;
  return (
    <textarea
      id={id}
      {...aria}
      rows={control.rows}
      value={shown(value)}
      onChange={(event) => onChange(orUnset(event.target.value, props))}
      className={classNames(
        FIELD,
        "block resize-y py-1.5 aria-invalid:border-fail pointer-coarse:leading-6",
        control.rows > 4 && "font-mono text-xs leading-[19px]",
      )}
    />
  );
}

/** An empty line in the middle stays while one types; it is no item. */
export function LinesControl({
  control,
  ...props
}: ControlProps & { control: Extract<FieldControl, { kind: "lines" }> }) {
  const { id, value, onChange, aria } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && isSame(toLines(typed), value) ? typed : Array.isArray(value) ? value.join("\n") : "";
  return (
    <textarea
      id={id}
      {...aria}
      rows={control.rows}
      value={text}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(toLines(event.target.value));
      }}
      className={classNames(FIELD, "block resize-y py-1.5 aria-invalid:border-fail pointer-coarse:leading-6")}
    />
  );
}

function toLines(text: string): readonly string[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? undefined : lines;
}

const NUMBER = /^-?\d+(\.\d+)?$/u;

function toNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return NUMBER.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Typed text stays as typed, even if it is not a number: the problem below explains it. */
export function NumberControl({
  control,
  ...props
}: ControlProps & { control: Extract<FieldControl, { kind: "number" }> }) {
  const { id, value, fallback, onChange, aria } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && isSame(toNumber(typed), value ?? undefined) ? typed : shown(value);
  return (
    <span className="relative block">
      <input
        id={id}
        {...aria}
        inputMode="decimal"
        value={text}
        placeholder={fallback === null || fallback === undefined ? (control.empty ?? "") : shown(fallback)}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(toNumber(event.target.value));
        }}
        className={classNames(FIELD, "tnum h-8 touch-row aria-invalid:border-fail", control.unit && "pr-20")}
      />
      {control.unit ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-muted"
        >
          {control.unit}
        </span>
      ) : null}
    </span>
  );
}
