"use client";
import { Switch } from "@/components/ui/controls/switch";
import { useField } from "@/lib/client/forms/use-field";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { ChangeSettingsBody } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

/** Who can open the links of shared threads. */
export function SharingSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({
    name: "sharing",
    schema: ChangeSettingsBody,
    settings,
    valuesOf: ({ publicShares }) => ({ publicShares }),
  });
  const { value, set } = useField(form, "publicShares");
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="People can make a read-only link to a copy of one of their threads. They choose what it shows and when it expires, and revoke it.">
        <div className="flex items-start justify-between gap-6">
          <span className="text-sm">
            Links work without signing in
            <span className="block text-xs text-muted">
              Off: only people who can sign in here read what is behind a link. The change holds for links that exist,
              too.
            </span>
          </span>
          <Switch label="Links work without signing in" isOn={value === true} onChange={set} />
        </div>
      </SectionBody>
    </SettingsFrame>
  );
}
