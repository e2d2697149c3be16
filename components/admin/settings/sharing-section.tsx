"use client";
import { z } from "zod";
import { Switch } from "@/components/ui/controls/switch";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({ publicShares: z.boolean() });

/** Who can open the links of shared threads. */
export function SharingSection({ section, settings: { publicShares } }: SectionProps) {
  const form = useSettingsForm({
    name: "sharing",
    schema: Values,
    current: { publicShares },
    read: (values) => ({ body: values }),
  });
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
          <Switch
            label="Links work without signing in"
            isOn={form.values.publicShares}
            onChange={(isOn) => form.set({ publicShares: isOn })}
          />
        </div>
      </SectionBody>
    </SettingsFrame>
  );
}
