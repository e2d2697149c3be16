"use client";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  set as setAt,
  useForm as useFormLibrary,
  useFormState,
  useWatch,
} from "react-hook-form";
import type { z } from "zod";
import { forgetKept, readKept, type Values, writeKept } from "./kept-values";
import { type FieldOf, flattenErrors, type Problems, resolverOf } from "./problems";
import { secretPaths } from "./secret-paths";

export interface TypedOptions<Typed extends FieldValues, Body> {
  /** The request's schema; where people type text for something else, `typed.ts` reads it. */
  schema: z.ZodType<Body, Typed>;
  /** What is saved, as the form shows it. While nothing was typed, the form follows it. */
  initial: Typed;
  /** Where a field is not at the path that the request has for it. One function, made outside of the component. */
  fieldOf?: FieldOf;
  /** What the form is about. With it, a reload keeps what was typed, except secrets. */
  subject?: string;
}

type Value<Typed extends FieldValues> = FieldPathValue<Typed, FieldPath<Typed>>;

/** What is typed into a form, and its problems. */
export function useTyped<Typed extends FieldValues, Body>(options: TypedOptions<Typed, Body>) {
  const { schema, initial, subject, fieldOf = samePath } = options;
  const [opened] = useState(initial);
  const { resolver, secrets } = useMemo(() => readSchema(schema, fieldOf), [schema, fieldOf]);
  const { control, getValues, setValue, reset, setError, handleSubmit } = useFormLibrary<Typed, unknown, Body>({
    // The library's type allows for missing values, which a form here never has.
    defaultValues: opened as DefaultValues<Typed>,
    resolver,
    shouldFocusError: false,
  });
  const { errors, isDirty, isSubmitted, defaultValues = {} } = useFormState({ control });
  const values = useWatch({ control, compute: (typed: Typed) => typed });
  const problems: Problems = useMemo(() => new Map(flattenErrors(errors)), [errors]);
  const base = useRef<Typed>(opened);

  const keep = () => {
    const without = (typed: Typed) => withoutSecrets(typed, opened, secrets);
    writeKept(subject, { base: without(base.current), typed: without(getValues()) });
  };
  const write = (name: string, value: unknown, shouldValidate: boolean) =>
    setValue(name as FieldPath<Typed>, value as Value<Typed>, { shouldDirty: true, shouldValidate });
  const put = (name: string, value: unknown) => {
    // Once it was sent, the problem of a text goes with the text.
    write(name, value, isSubmitted);
    keep();
  };
  /** Opens the form on `from`, with what was typed on top. */
  const open = (from: Typed, typed: Values) => {
    base.current = from;
    reset(from, { keepErrors: true, keepIsSubmitted: true });
    for (const [name, value] of Object.entries(typed)) {
      if (!isSame(value, get(from, name))) write(name, value, false);
    }
  };
  const forget = () => forgetKept(subject);
  const restore = useEffectEvent(() => {
    const kept = readKept(subject, opened);
    if (kept !== null) open({ ...opened, ...kept.base }, kept.typed);
  });
  // Before the first paint, and not while rendering: a page that the server has rendered knows no tab's storage.
  useLayoutEffect(() => restore(), []);
  useOnceChanged(initial, () => {
    if (countChanges(getValues(), base.current) === 0 && !isSame(initial, base.current)) open(initial, {});
  });

  return {
    values,
    problems,
    secrets,
    isDirty,
    opened: defaultValues as Typed,
    changes: countChanges(values, defaultValues),
    put,
    open,
    keep,
    base,
    getValues,
    handleSubmit,
    refuse: (refused: Problems) => {
      for (const [path, message] of refused) setError(fieldOf(path) as FieldPath<Typed>, { type: "server", message });
    },
    forget,
    /** Back to what is saved. */
    discard: () => {
      forget();
      base.current = initial;
      reset(initial);
    },
    /** What was typed is saved by now; secrets are not shown again. */
    rebase: () => open(withoutSecrets(getValues(), opened, secrets), {}),
  };
}

function readSchema<Typed extends FieldValues, Body>(schema: z.ZodType<Body, Typed>, fieldOf: FieldOf) {
  return { resolver: resolverOf(schema, fieldOf), secrets: new Set([...secretPaths(schema)].map(fieldOf)) };
}

/** Calls back once `saved` says something else, whichever object says it. */
function useOnceChanged(saved: unknown, onChanged: () => void): void {
  const changed = useEffectEvent(onChanged);
  const text = JSON.stringify(saved);
  const shown = useRef(text);
  useEffect(() => {
    if (shown.current !== text) changed();
    shown.current = text;
  }, [text]);
}

function samePath(path: string): string {
  return path;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** How many fields differ; a list counts as one. */
function countChanges(typed: unknown, saved: unknown): number {
  if (isSame(typed, saved)) return 0;
  if (!isFields(typed) || !isFields(saved)) return 1;
  return Object.keys(typed).reduce((count, name) => count + countChanges(typed[name], saved[name]), 0);
}

function isFields(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** With the values of secrets as the form opened. */
function withoutSecrets<Typed extends Values>(typed: Typed, opened: Values, secrets: ReadonlySet<string>): Typed {
  const copy = structuredClone(typed);
  for (const path of secrets) if (get(copy, path) !== undefined) setAt(copy, path, get(opened, path));
  return copy;
}
