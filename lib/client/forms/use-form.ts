"use client";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { type FieldPath, type FieldPathValue, type FieldValues, get } from "react-hook-form";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import type { Values } from "./kept-values";
import { conflictText, mergeForms } from "./merge-forms";
import { type FieldOf, flattenErrors, isUnder, type Problems, refusedFields } from "./problems";
import { type TypedOptions, useTyped } from "./use-typed";

export interface FormOptions<Typed extends FieldValues, Body, Saved> extends TypedOptions<Typed, Body> {
  /** The second argument is for a form that sends only what was changed. */
  save: (body: Body, typed: TypedValues<Typed>) => Promise<Saved>;
  /** May ask first, and send later or not at all. */
  beforeSave?: (send: () => void, body: Body) => void;
  /** It stays on the page: what was saved is what it starts from. */
  staysOpen?: boolean;
  /** What it returns is awaited: the form counts as being sent until then. */
  onSaved?: (saved: Saved) => unknown;
  /** Fetched again after each try: a refusal, too, may say that what the page shows is old. */
  invalidates?: readonly QueryKey[];
  /** For a route that refuses to overwrite what somebody else has saved since (409). */
  conflict?: FormConflict<Typed>;
  /** Which field a refusal is about, where the server names none; by default what it names. */
  refusedFields?: (refusal: unknown) => Problems;
}

interface TypedValues<Typed> {
  /** What was saved when the person began to type. */
  readonly opened: Typed;
  readonly values: Typed;
}

interface FormConflict<Typed> {
  /** Of what is saved, for the message. */
  readonly name: string;
  /** The form of what stands there now, from the refusal's details; null for another conflict. */
  readonly theirs: (details: unknown) => Typed | null;
}

/** What a dialog or a page needs of a form to send it. */
export interface SentForm {
  readonly isPending: boolean;
  readonly isDirty: boolean;
  /** Number of fields that differ from what is saved. */
  readonly changes: number;
  /** Why it was not saved, as far as no field shows it. */
  readonly error: string | null;
  /** What the last sending was refused with; null if it was not. */
  readonly refusal: unknown;
  /** What somebody else has saved meanwhile, in words. */
  readonly notice: string | null;
  /** Counts the refusals: after each, the first field with a problem takes the focus. */
  readonly refusals: number;
  readonly submit: () => void;
  /** Forgets what a reload would bring back. */
  readonly forget: () => void;
  /** Takes back what was typed. */
  readonly discard: () => void;
}

/** What a field needs of its form. */
export interface FieldForm {
  readonly values: FieldValues;
  readonly problems: Problems;
  /** What somebody else has saved in fields that were changed here too, by field. */
  readonly theirs: Values;
  readonly secrets: ReadonlySet<string>;
  readonly put: (name: string, value: unknown) => void;
  readonly takeTheirs: (name: string) => void;
  /** Announces a field that shows its problems; returns how to withdraw it. */
  readonly mount: (name: string) => () => void;
}

export interface Form<Typed extends FieldValues> extends SentForm, FieldForm, TypedValues<Typed> {
  readonly values: Typed;
  readonly set: <Name extends FieldPath<Typed>>(name: Name, value: FieldPathValue<Typed, Name>) => void;
}

/** A form over the schema of its request: what is typed, its problems, the sending, and what a reload keeps. */
export function useForm<Typed extends FieldValues, Body, Saved>(options: FormOptions<Typed, Body, Saved>): Form<Typed> {
  const { save, beforeSave = sendAtOnce, staysOpen = false, onSaved, invalidates = [], conflict } = options;
  const refusedIn = options.refusedFields ?? refusedFields;
  const queryClient = useQueryClient();
  const { getValues, handleSubmit, refuse, open, keep, rebase, base, ...typed } = useTyped(options);
  const { mount, error, refusals, tell, clear } = useRefusals(options.fieldOf);
  const { theirs, notice, ...another } = useTheirs();

  const mergeTheirs = (refusal: unknown): boolean => {
    const saved =
      conflict && refusal instanceof ApiError && refusal.code === "conflict" && conflict.theirs(refusal.details);
    if (!saved) return false;
    const { form, overlaps } = mergeForms(base.current, getValues(), saved);
    open(saved, form);
    another.show(
      Object.fromEntries(overlaps.map((name) => [String(name), get(saved, String(name))])),
      conflictText(conflict.name, overlaps.length),
    );
    keep();
    return true;
  };
  const sending = useMutation({
    mutationFn: (body: Body) => save(body, { opened: base.current, values: getValues() }),
    onMutate: () => {
      clear();
      another.show({}, null);
    },
    onSuccess: async (saved) => {
      typed.forget();
      if (staysOpen) rebase();
      await onSaved?.(saved);
    },
    onError: (refusal) => {
      if (mergeTheirs(refusal)) return;
      const refused = refusedIn(refusal);
      refuse(refused);
      tell(refused, errorMessage(refusal));
    },
    onSettled: () => {
      for (const queryKey of invalidates) void queryClient.invalidateQueries({ queryKey });
    },
  });
  const submit = handleSubmit(
    (body) => beforeSave(() => sending.mutate(body), body),
    (found) => tell(new Map(flattenErrors(found)), null),
  );

  return {
    ...typed,
    theirs,
    isPending: sending.isPending,
    error,
    refusal: sending.error,
    notice,
    refusals,
    mount,
    set: typed.put,
    takeTheirs: (name) => {
      typed.put(name, theirs[name]);
      another.take(name);
    },
    discard: () => {
      sending.reset();
      clear();
      another.show({}, null);
      typed.discard();
    },
    submit: () => {
      if (!sending.isPending) void submit();
    },
  };
}

/** Values that someone else saved in fields also changed here, and the notice that says so. */
function useTheirs() {
  const [theirs, setTheirs] = useState<Values>({});
  const [notice, setNotice] = useState<string | null>(null);
  return {
    theirs,
    notice,
    show: (saved: Values, words: string | null) => {
      setTheirs(saved);
      setNotice(words);
    },
    take: (name: string) => setTheirs(({ [name]: _, ...others }) => others),
  };
}

/** The refusals of a form, and what of them no field on the page shows. */
function useRefusals(fieldOf: FieldOf = String) {
  const mounted = useRef(new Set<string>());
  const mount = useCallback((name: string) => {
    mounted.current.add(name);
    return () => {
      mounted.current.delete(name);
    };
  }, []);
  const [error, setError] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);
  const tell = (refused: Problems, fallback: string | null) => {
    const fields = [...mounted.current];
    const strays = [...refused].filter(([path]) => !fields.some((field) => isUnder(fieldOf(path), field)));
    setError(strays.length > 0 ? strays.map(strayText).join(" ") : refused.size > 0 ? null : fallback);
    setRefusals((count) => count + 1);
  };
  return { mount, error, refusals, tell, clear: () => setError(null) };
}

/** A problem without a field that shows it. */
function strayText([path, text]: readonly [string, string]): string {
  return path === "root" ? text : `${path}: ${text}`;
}

function sendAtOnce(send: () => void): void {
  send();
}
