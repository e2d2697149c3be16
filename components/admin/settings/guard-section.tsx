"use client";
import { z } from "zod";
import { Select } from "@/components/ui/controls/select";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { GUARD_MODES, type GuardMode } from "@/lib/schema/settings/guard-mode";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({ guardDefault: z.enum(GUARD_MODES) });

const WORDS: Readonly<Record<GuardMode, string>> = {
  off: "Off: messages are not looked at",
  log: "Log: a line in the server's log",
  warn: "Warn: a warning in the log, and a mark on the trace",
  block: "Block: the message is refused",
};

/** The default message guard, for agents that do not choose. */
export function GuardSection({ section, settings: { guardDefault } }: SectionProps) {
  const form = useSettingsForm({
    name: "guard",
    schema: Values,
    current: { guardDefault },
    read: (values) => ({ body: values }),
  });
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="Messages are looked through for words that try to take over an agent. This holds for every agent that does not choose for itself (Hooks, Injection guard), from its next message on.">
        <Select
          label="When a message reads like that"
          options={GUARD_MODES.map((id) => ({ id, name: WORDS[id] }))}
          value={form.values.guardDefault}
          onChange={(id) => form.set({ guardDefault: GUARD_MODES.find((mode) => mode === id) ?? "warn" })}
        />
      </SectionBody>
    </SettingsFrame>
  );
}
