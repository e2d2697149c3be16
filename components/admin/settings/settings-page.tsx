"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { settingsQuery } from "@/lib/client/settings/settings-queries";
import type { Settings } from "@/lib/schema/settings/settings";
import { findSection, type SectionId, type SettingsSection } from "./sections";
import { SettingsFrame } from "./settings-frame";

export interface SectionProps {
  section: SettingsSection;
  settings: Settings;
}

/** Shown until a section is loaded: the head, the list of sections, rows without words. */
function loading(id: SectionId) {
  return function LoadingSection() {
    const section = findSection(id);
    if (!section) return null;
    return (
      <SettingsFrame section={section}>
        <SkeletonList label="Loading settings" rows={8} className="p-2" />
      </SettingsFrame>
    );
  };
}

const PAGES: Readonly<Record<SectionId, ComponentType<SectionProps>>> = {
  retention: dynamic(() => import("./retention-section").then((module) => module.RetentionSection), {
    loading: loading("retention"),
  }),
  backup: dynamic(() => import("./backup-section").then((module) => module.BackupSection), {
    loading: loading("backup"),
  }),
  masking: dynamic(() => import("./masking-section").then((module) => module.MaskingSection), {
    loading: loading("masking"),
  }),
  sandbox: dynamic(() => import("./sandbox-section").then((module) => module.SandboxSection), {
    loading: loading("sandbox"),
  }),
  guard: dynamic(() => import("./guard-section").then((module) => module.GuardSection), { loading: loading("guard") }),
  log: dynamic(() => import("./log-section").then((module) => module.LogSection), { loading: loading("log") }),
  mail: dynamic(() => import("./mail-section").then((module) => module.MailSection), { loading: loading("mail") }),
  search: dynamic(() => import("./search-section").then((module) => module.SearchSection), {
    loading: loading("search"),
  }),
  name: dynamic(() => import("./name-section").then((module) => module.NameSection), { loading: loading("name") }),
  schedules: dynamic(() => import("./schedules-section").then((module) => module.SchedulesSection), {
    loading: loading("schedules"),
  }),
  sharing: dynamic(() => import("./sharing-section").then((module) => module.SharingSection), {
    loading: loading("sharing"),
  }),
  audit: dynamic(() => import("@/components/admin/audit/audit-section").then((module) => module.AuditSection), {
    loading: loading("audit"),
  }),
  version: dynamic(() => import("./version-section").then((module) => module.VersionSection), {
    loading: loading("version"),
  }),
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
