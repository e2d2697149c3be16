"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import { QueryState } from "@/components/admin/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { settingsQuery } from "@/lib/client/settings/settings-queries";
import type { Settings } from "@/lib/schema/settings/settings";
import { findSection, type SectionId, type SettingsSection } from "./sections";
import { SettingsFrame } from "./settings-frame";

export interface SectionProps {
  section: SettingsSection;
  settings: Settings;
}

const loading = () => <SkeletonList label="Loading the settings" rows={8} className="flex-1 bg-surface p-2" />;

const PAGES: Readonly<Record<SectionId, ComponentType<SectionProps>>> = {
  retention: dynamic(() => import("./retention-section").then((module) => module.RetentionSection), { loading }),
  backup: dynamic(() => import("./backup-section").then((module) => module.BackupSection), { loading }),
  masking: dynamic(() => import("./masking-section").then((module) => module.MaskingSection), { loading }),
  sandbox: dynamic(() => import("./sandbox-section").then((module) => module.SandboxSection), { loading }),
  guard: dynamic(() => import("./guard-section").then((module) => module.GuardSection), { loading }),
  log: dynamic(() => import("./log-section").then((module) => module.LogSection), { loading }),
  mail: dynamic(() => import("./mail-section").then((module) => module.MailSection), { loading }),
  search: dynamic(() => import("./search-section").then((module) => module.SearchSection), { loading }),
  name: dynamic(() => import("./name-section").then((module) => module.NameSection), { loading }),
  sharing: dynamic(() => import("./sharing-section").then((module) => module.SharingSection), { loading }),
  version: dynamic(() => import("./version-section").then((module) => module.VersionSection), { loading }),
};

/** One page of the settings. */
export function SettingsPage({ section: id }: { section: SectionId }) {
  const settings = useQuery(settingsQuery);
  const section = findSection(id);
  if (!section) return null;
  const Section = PAGES[id];
  if (settings.data) return <Section key={id} section={section} settings={settings.data} />;
  return (
    <SettingsFrame section={section}>
      <QueryState what="settings" query={settings}>
        {() => null}
      </QueryState>
    </SettingsFrame>
  );
}
