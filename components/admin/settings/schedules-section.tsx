"use client";
import { z } from "zod";
import { Field } from "@/components/ui/form/field";
import { typedNumber } from "@/lib/client/forms/typed";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { SchedulesPerPerson } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const SchedulesForm = z.strictObject({ schedulesPerPerson: typedNumber(SchedulesPerPerson) });

/** How many schedules a person may have. */
export function SchedulesSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({
    name: "schedules",
    schema: SchedulesForm,
    settings,
    valuesOf: ({ schedulesPerPerson }) => ({ schedulesPerPerson: String(schedulesPerPerson) }),
  });
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="A member has at most this many schedules. Administrators may have more, and those in an agent’s config don’t count.">
        <Field of={form} name="schedulesPerPerson" label="Schedules per person" inputMode="numeric" />
      </SectionBody>
    </SettingsFrame>
  );
}
