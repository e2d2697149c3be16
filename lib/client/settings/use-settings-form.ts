"use client";
import { useQueryClient } from "@tanstack/react-query";
import type { FieldValues } from "react-hook-form";
import type { z } from "zod";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ChangeSettingsBody, Settings } from "@/lib/schema/settings/settings";
import { changeSettings, settingsIn, settingsQuery, storageQuery } from "./settings-queries";

interface SettingsFormOptions<Typed extends FieldValues> {
  /** The page of the settings. */
  readonly name: string;
  readonly schema: z.ZodType<ChangeSettingsBody, Typed>;
  readonly settings: Settings;
  /** What is in force, as the form shows it. */
  readonly valuesOf: (settings: Settings) => Typed;
  readonly beforeSave?: (send: () => void, body: ChangeSettingsBody) => void;
}

/** One page of the settings; Ctrl S saves it. */
export function useSettingsForm<Typed extends FieldValues>(options: SettingsFormOptions<Typed>): Form<Typed> {
  const { name, schema, settings, valuesOf, beforeSave } = options;
  const queryClient = useQueryClient();
  const form = useForm({
    subject: `settings ${name}`,
    schema,
    initial: valuesOf(settings),
    save: changeSettings,
    ...(beforeSave ? { beforeSave } : {}),
    staysOpen: true,
    invalidates: [settingsQuery.queryKey, storageQuery.queryKey, ["backup"]],
    conflict: {
      name: "these settings",
      theirs: (details) => {
        const theirs = settingsIn(details);
        return theirs && valuesOf(theirs);
      },
    },
    onSaved: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      showToast({ title: "Saved. It holds from now on." });
    },
  });
  useShortcuts({ "mod+s": () => (form.changes > 0 ? form.submit() : undefined) });
  return form;
}
