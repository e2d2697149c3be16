"use client";
import { useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
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
  initial: Typed;
  /** Where a field is not at the path that the request has for it. One function, made outside of the component. */
  fieldOf?: FieldOf;
  /** What the form is about. With it, a reload keeps what was typed, except secrets. */
  subject?: string;
}

/** What is typed into a form, and its problems. */
export function useTyped<Typed extends FieldValues, Body>(options: TypedOptions<Typed, Body>) {
  const { schema, initial, subject, fieldOf = samePath } = options;
  const [opened] = useState(initial);
  const resolver = useMemo(() => resolverOf(schema, fieldOf), [schema, fieldOf]);
  const secrets = useMemo(() => new Set([...secretPaths(schema)].map(fieldOf)), [schema, fieldOf]);
  const { control, getValues, setValue, reset, setError, handleSubmit } = useFormLibrary<Typed, unknown, Body>({
    // The library's type allows for missing values, which a form here never has.
    defaultValues: opened as DefaultValues<Typed>,
    resolver,
    shouldFocusError: false,
  });
  const { errors, isDirty, isSubmitted } = useFormState({ control });
  const values = useWatch({ control, compute: (typed: Typed) => typed });
  const problems: Problems = useMemo(() => new Map(flattenErrors(errors)), [errors]);
  const base = useRef<Typed>(opened);

  const keep = () => {
    if (subject === undefined) return;
    const without = (typed: Typed) => withoutSecrets(typed, opened, secrets);
    writeKept(subject, { base: without(base.current), typed: without(getValues()) });
  };
  const write = (name: string, value: unknown, shouldValidate: boolean) =>
    setValue(name as FieldPath<Typed>, value as FieldPathValue<Typed, FieldPath<Typed>>, {
      shouldDirty: true,
      shouldValidate,
    });
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
  const restore = useEffectEvent(() => {
    const kept = subject === undefined ? null : readKept(subject, opened);
    if (kept !== null) open({ ...opened, ...kept.base }, kept.typed);
  });
  // Before the first paint, and not while rendering: a page that the server has rendered knows no tab's storage.
  useLayoutEffect(() => restore(), []);

  return {
    values,
    problems,
    secrets,
    isDirty,
    put,
    open,
    keep,
    base,
    getValues,
    handleSubmit,
    refuse: (refused: Problems) => {
      for (const [path, message] of refused) setError(fieldOf(path) as FieldPath<Typed>, { type: "server", message });
    },
    forget: () => {
      if (subject !== undefined) forgetKept(subject);
    },
  };
}

function samePath(path: string): string {
  return path;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** With the values of secrets as the form opened. */
function withoutSecrets(typed: Values, opened: Values, secrets: ReadonlySet<string>): Values {
  const copy = structuredClone(typed);
  for (const path of secrets) if (get(copy, path) !== undefined) setAt(copy, path, get(opened, path));
  return copy;
}
