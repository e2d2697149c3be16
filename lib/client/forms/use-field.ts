"use client";
import { useEffect } from "react";
import { get } from "react-hook-form";
import { problemOf } from "./problems";
import type { FieldForm } from "./use-form";

export interface FormField {
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  readonly problem: string | undefined;
  /** Its schema is one of a secret. */
  readonly isSecret: boolean;
  /** What somebody else has saved in it meanwhile; undefined if nothing. */
  readonly theirs: unknown;
  readonly takeTheirs: () => void;
}

/** A field of a form: `name` is its dotted path. */
export function useField(form: FieldForm, name: string): FormField {
  const { mount } = form;
  useEffect(() => mount(name), [mount, name]);
  return {
    value: get(form.values, name),
    set: (value) => form.put(name, value),
    problem: problemOf(form.problems, name),
    isSecret: form.secrets.has(name),
    theirs: form.theirs[name],
    takeTheirs: () => form.takeTheirs(name),
  };
}
