"use client";
import type { z } from "zod";
import { useRemembered } from "./use-remembered";

export interface KeptForm<Form> {
  readonly form: Form;
  readonly set: (change: Partial<Form>) => void;
  /** Once it was sent, or closed. */
  readonly forget: () => void;
}

/** A form's fields; a reload keeps what was typed. `key` identifies the form's subject; it starts as `opened`. */
export function useKeptForm<Form extends object>(key: string, schema: z.ZodType<Form>, opened: Form): KeptForm<Form> {
  const kept = useRemembered(key, schema);
  const form = kept.value ?? opened;
  return { form, set: (change) => kept.set({ ...form, ...change }), forget: kept.forget };
}
