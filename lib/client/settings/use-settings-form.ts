"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { z } from "zod";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { ChangeSettingsBody, Settings } from "@/lib/schema/settings/settings";
import { changeSettings, conflictOf, settingsQuery } from "./settings-queries";

/** A form's result: a change, or the problem of each field. */
export type FormReading =
  | { readonly body: ChangeSettingsBody; readonly problems?: undefined }
  | { readonly problems: Readonly<Record<string, string>>; readonly body?: undefined };

interface FormOptions<Values extends Record<string, unknown>> {
  /** The section; the tab keeps what is typed under its name until it is saved. */
  readonly name: string;
  readonly schema: z.ZodType<Values>;
  /** The server's values, as the form shows them. */
  readonly current: Values;
  readonly read: (values: Values) => FormReading;
  /** There is something to save that is not among the values: a password, which no browser should keep. */
  readonly hasMore?: boolean;
  readonly onSaved?: () => void;
}

export interface SettingsForm<Values> {
  readonly values: Values;
  readonly set: (change: Partial<Values>) => void;
  /** Number of fields that differ from what is in force. */
  readonly changes: number;
  readonly reading: FormReading;
  /** By field, after the first attempt to save, including what the server refused. */
  readonly problems: ReadonlyMap<string, string>;
  readonly isSaving: boolean;
  readonly save: () => void;
  readonly discard: () => void;
}

/** One page of settings: what is typed survives a reload, every problem is shown beside its field, Ctrl S saves. */
export function useSettingsForm<Values extends Record<string, unknown>>(
  options: FormOptions<Values>,
  /** Called before saving; the page may first ask for confirmation. */
  mayPass: (save: () => void, body: ChangeSettingsBody) => void = (save) => save(),
): SettingsForm<Values> {
  const { name, schema, current, read, hasMore = false, onSaved } = options;
  const queryClient = useQueryClient();
  const kept = useMemo(() => schema.nullable(), [schema]);
  const { value: draft, set: setDraft } = useRemembered<Values | null>(`settings:${name}`, kept);
  const [isTried, setTried] = useState(false);
  const values = draft ?? current;
  const changes = Object.keys(current).filter((key) => JSON.stringify(values[key]) !== JSON.stringify(current[key]));
  const reading = read(values);
  const mutation = useMutation({
    mutationFn: (body: ChangeSettingsBody) => changeSettings(body),
    onSuccess: (settings) => {
      queryClient.setQueryData<Settings>(settingsQuery.queryKey, settings);
      for (const key of ["storage", "backup"]) void queryClient.invalidateQueries({ queryKey: [key] });
      setDraft(null);
      setTried(false);
      onSaved?.();
      showToast({ title: "Saved. It holds from now on." });
    },
    onError: (error) => {
      const theirs = conflictOf(error);
      if (theirs) queryClient.setQueryData<Settings>(settingsQuery.queryKey, theirs);
      const hasPlace = error instanceof ApiError && error.problems.size > 0;
      if (!hasPlace) showToast({ title: errorMessage(error), tone: "error" });
    },
  });
  const send = () => {
    setTried(true);
    if ((changes.length === 0 && !hasMore) || mutation.isPending || reading.body === undefined) return;
    const { body } = reading;
    mayPass(() => mutation.mutate(body), body);
  };
  useShortcuts({ "mod+s": send });
  const refused = mutation.error instanceof ApiError ? mutation.error.problems : new Map<string, string>();
  return {
    values,
    set: (change) => {
      mutation.reset();
      const next = { ...values, ...change };
      setDraft(JSON.stringify(next) === JSON.stringify(current) ? null : next);
    },
    changes: changes.length,
    reading,
    problems: isTried && reading.problems ? new Map(Object.entries(reading.problems)) : refused,
    isSaving: mutation.isPending,
    save: send,
    discard: () => {
      mutation.reset();
      setTried(false);
      setDraft(null);
    },
  };
}
