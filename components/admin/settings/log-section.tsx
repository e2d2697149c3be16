"use client";
import { SelectField } from "@/components/ui/form/select-field";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { ChangeSettingsBody, LOG_LEVELS } from "@/lib/schema/settings/settings";
import { FixedBy, SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const LEVEL_LABELS: Readonly<Record<(typeof LOG_LEVELS)[number], string>> = {
  trace: "Trace: everything",
  debug: "Debug: what the server does, step by step",
  info: "Info: starts, ends and what was deleted",
  warn: "Warn: what did not work but was handled",
  error: "Error: what failed",
  fatal: "Fatal: what ends the server",
  silent: "Silent: nothing",
};

/** The log level. */
export function LogSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({
    name: "log",
    schema: ChangeSettingsBody,
    settings,
    valuesOf: ({ logLevel }) => ({ logLevel }),
  });
  const variable = settings.fixed.logLevel;
  return (
    <SettingsFrame section={section} form={variable === undefined ? form : undefined}>
      <SectionBody intro="The log is JSON lines on the standard output of every process. A new level holds at once, without a restart.">
        <SelectField
          of={form}
          name="logLevel"
          label="Level"
          options={LOG_LEVELS.map((id) => ({ id, name: LEVEL_LABELS[id] }))}
          isDisabled={variable !== undefined}
        />
        {variable === undefined ? null : <FixedBy variable={variable} />}
      </SectionBody>
    </SettingsFrame>
  );
}
