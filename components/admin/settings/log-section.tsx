"use client";
import { z } from "zod";
import { Select } from "@/components/ui/controls/select";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { LOG_LEVELS } from "@/lib/schema/settings/settings";
import { FixedBy, SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({ logLevel: z.enum(LOG_LEVELS) });

const WORDS: Readonly<Record<(typeof LOG_LEVELS)[number], string>> = {
  trace: "Trace: everything",
  debug: "Debug: what the server does, step by step",
  info: "Info: starts, ends and what was deleted",
  warn: "Warn: what did not work but was handled",
  error: "Error: what failed",
  fatal: "Fatal: what ends the server",
  silent: "Silent: nothing",
};

/** The log level. */
export function LogSection({ section, settings: { logLevel, fixed } }: SectionProps) {
  const form = useSettingsForm({
    name: "log",
    schema: Values,
    current: { logLevel },
    read: (values) => ({ body: values }),
  });
  const variable = fixed.logLevel;
  return (
    <SettingsFrame section={section} form={variable === undefined ? form : undefined}>
      <SectionBody intro="The log is JSON lines on the standard output of every process. A new level holds at once, without a restart.">
        <Select
          label="Level"
          options={LOG_LEVELS.map((id) => ({ id, name: WORDS[id] }))}
          value={form.values.logLevel}
          onChange={(id) => form.set({ logLevel: LOG_LEVELS.find((level) => level === id) ?? "info" })}
          isDisabled={variable !== undefined}
        />
        {variable === undefined ? null : <FixedBy variable={variable} />}
      </SectionBody>
    </SettingsFrame>
  );
}
