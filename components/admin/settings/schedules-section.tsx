"use client";
import { z } from "zod";
import { TextField } from "@/components/ui/controls/text-field";
import { fieldState } from "@/lib/client/forms/problems";
import { type FormReading, useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({ schedulesPerPerson: z.string() });

/** How many schedules a person may have. */
export function SchedulesSection({ section, settings: { schedulesPerPerson } }: SectionProps) {
  const form = useSettingsForm({
    name: "schedules",
    schema: Values,
    current: { schedulesPerPerson: String(schedulesPerPerson) },
    read: readSchedules,
  });
  const { values, set, problems } = form;
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="A member has at most this many schedules. Administrators may have more, and those in an agent’s config don’t count.">
        <TextField
          label="Schedules per person"
          inputMode="numeric"
          value={values.schedulesPerPerson}
          onChange={(typed) => set({ schedulesPerPerson: typed })}
          {...fieldState(problems.get("schedulesPerPerson"))}
        />
      </SectionBody>
    </SettingsFrame>
  );
}

const MOST = 10_000;

function readSchedules({ schedulesPerPerson }: z.infer<typeof Values>): FormReading {
  const number = Number(schedulesPerPerson);
  if (Number.isInteger(number) && number >= 1 && number <= MOST) return { body: { schedulesPerPerson: number } };
  return { problems: { schedulesPerPerson: "must be a whole number from 1 to 10,000" } };
}
