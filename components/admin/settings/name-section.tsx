"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { TextField } from "@/components/ui/controls/text-field";
import { fieldState } from "@/lib/client/forms/problems";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({ name: z.string(), signInText: z.string() });

/** The installation's name, and what people read before they sign in. */
export function NameSection({ section, settings: { branding } }: SectionProps) {
  const form = useSettingsForm({
    name: "name",
    schema: Values,
    current: { name: branding.name, signInText: branding.signInText },
    read: (values) =>
      values.name.trim() === "" ? { problems: { "branding.name": "is needed" } } : { body: { branding: values } },
  });
  useNewTitle(branding.name);
  const { values, set, problems } = form;
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="The name stands in the titles of tabs, beside the mark and on the page where people sign in.">
        <TextField
          label="Name"
          maxLength={40}
          value={values.name}
          onChange={(name) => set({ name })}
          {...fieldState(problems.get("branding.name"))}
        />
        <TextField
          label="Text on the sign-in page"
          rows={4}
          maxLength={500}
          value={values.signInText}
          onChange={(signInText) => set({ signInText })}
          placeholder="Accounts are created by an administrator."
          description="Say who runs this installation and whom to ask for an account. Everybody can read it."
          {...fieldState(problems.get("branding.signInText"))}
        />
      </SectionBody>
    </SettingsFrame>
  );
}

/** The title and the mark come with the page: it is rerendered under the new name. */
function useNewTitle(name: string): void {
  const { refresh } = useRouter();
  const shown = useRef(name);
  useEffect(() => {
    if (shown.current !== name) refresh();
    shown.current = name;
  }, [name, refresh]);
}
