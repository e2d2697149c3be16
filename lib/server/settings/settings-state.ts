import "server-only";
import { writeDuration } from "@/lib/schema/settings/duration";
import type { Settings, StoredSmtp } from "@/lib/schema/settings/settings";
import type { StoredWebSearch } from "@/lib/schema/settings/web-search";
import { env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";

export interface StoredSettings extends Omit<Settings, "fixed" | "smtp" | "webSearch"> {
  smtp: StoredSmtp | null;
  webSearch: StoredWebSearch;
}
export type Section = keyof StoredSettings;

/** The defaults used if nobody has chosen. */
export function defaultSettings(): StoredSettings {
  const { retention, logLevel } = env();
  return {
    branding: { name: "Ringmaster", signInText: "" },
    logLevel,
    guardDefault: "warn",
    retention: {
      events: writeDuration(retention.events),
      traces: writeDuration(retention.traces),
      audit: writeDuration(retention.audit),
      threads: writeDuration(retention.threads),
      deletedThreads: writeDuration(retention.deletedThreads),
      fileVersions: writeDuration(retention.fileVersions),
      agents: {},
    },
    masking: { rules: [] },
    smtp: null,
    backup: { folder: null, everyHours: 24, keep: 14 },
    publicShares: false,
    schedulesPerPerson: 50,
    webSearch: { searxng: null, brave: null, tavily: null },
  };
}

interface State {
  settings: StoredSettings;
  loading: Promise<void>;
}

/** This process's settings; loaded at startup and after every change by any process. */
export function settingsState(): State {
  return processState("settings", (): State => ({ settings: defaultSettings(), loading: Promise.resolve() }));
}

/** The settings in force, including those of the environment. */
export function currentSettings(): StoredSettings {
  return settingsState().settings;
}
