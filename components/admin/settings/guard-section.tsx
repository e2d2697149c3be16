"use client";
import { SelectField } from "@/components/ui/form/select-field";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { GUARD_MODES, type GuardMode } from "@/lib/schema/settings/guard-mode";
import { ChangeSettingsBody } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const MODE_LABELS: Readonly<Record<GuardMode, string>> = {
  off: "Off: messages are not looked at",
  log: "Log: a line in the server's log",
  warn: "Warn: a warning in the log, and a mark on the trace",
  block: "Block: the message is refused",
};

/** The default message guard, for agents that do not choose. */
export function GuardSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({
    name: "guard",
    schema: ChangeSettingsBody,
    settings,
    valuesOf: ({ guardDefault }) => ({ guardDefault }),
  });
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="Messages are looked through for words that try to take over an agent. This holds for every agent that does not choose for itself (Hooks, Injection guard), from its next message on.">
        <SelectField
          of={form}
          name="guardDefault"
          label="When a message reads like that"
          options={GUARD_MODES.map((id) => ({ id, name: MODE_LABELS[id] }))}
        />
      </SectionBody>
    </SettingsFrame>
  );
}
