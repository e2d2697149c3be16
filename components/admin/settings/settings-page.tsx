"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
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
  retention: dynamic<SectionProps>(
    async () => (await loadWithRetry(() => import("./retention-section"))).RetentionSection,
    {
      loading: loading("retention"),
    },
  ),
  backup: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./backup-section"))).BackupSection, {
    loading: loading("backup"),
  }),
  masking: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./masking-section"))).MaskingSection, {
    loading: loading("masking"),
  }),
  sandbox: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./sandbox-section"))).SandboxSection, {
    loading: loading("sandbox"),
  }),
  guard: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./guard-section"))).GuardSection, {
    loading: loading("guard"),
  }),
  log: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./log-section"))).LogSection, {
    loading: loading("log"),
  }),
  mail: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./mail-section"))).MailSection, {
    loading: loading("mail"),
  }),
  search: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./search-section"))).SearchSection, {
    loading: loading("search"),
  }),
  name: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./name-section"))).NameSection, {
    loading: loading("name"),
  }),
  schedules: dynamic<SectionProps>(
    async () => (await loadWithRetry(() => import("./schedules-section"))).SchedulesSection,
    {
      loading: loading("schedules"),
    },
  ),
  sharing: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./sharing-section"))).SharingSection, {
    loading: loading("sharing"),
  }),
  audit: dynamic<SectionProps>(
    async () => (await loadWithRetry(() => import("@/components/admin/audit/audit-section"))).AuditSection,
    {
      loading: loading("audit"),
    },
  ),
  version: dynamic<SectionProps>(async () => (await loadWithRetry(() => import("./version-section"))).VersionSection, {
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
