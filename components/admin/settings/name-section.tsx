"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { Field } from "@/components/ui/form/field";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { ChangeSettingsBody } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

/** The installation's name, and what people read before they sign in. */
export function NameSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({
    name: "name",
    schema: ChangeSettingsBody,
    settings,
    valuesOf: ({ branding: { name, signInText } }) => ({ branding: { name, signInText } }),
  });
  useNewTitle(settings.branding.name);
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="The name stands in the titles of tabs, beside the mark and on the page where people sign in.">
        <Field of={form} name="branding.name" label="Name" maxLength={40} />
        <Field
          of={form}
          name="branding.signInText"
          label="Text on the sign-in page"
          rows={4}
          maxLength={500}
          placeholder="Accounts are created by an administrator."
          description="Say who runs this installation and whom to ask for an account. Everybody can read it."
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
