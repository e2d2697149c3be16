import { readdirSync } from "node:fs";
import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ComponentType, ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { storageQuery } from "@/lib/client/settings/settings-queries";
import type { Settings } from "@/lib/schema/settings/settings";
import type { Storage } from "@/lib/schema/settings/storage";
import { filesWith, type KeptForm, testKept } from "@/lib/testing/react/kept-forms";
import { withQueries } from "@/lib/testing/react/with-queries";
import { BackupSection } from "./backup-section";
import { GuardSection } from "./guard-section";
import { LogSection } from "./log-section";
import { MailSection } from "./mail-section";
import { MaskingSection } from "./masking-section";
import { NameSection } from "./name-section";
import { RetentionSection } from "./retention-section";
import { SchedulesSection } from "./schedules-section";
import { SearchSection } from "./search-section";
import { findSection } from "./sections";
import type { SectionProps } from "./settings-page";
import { SharingSection } from "./sharing-section";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined, refresh: () => undefined }) }));

const SHELL = { viewer: { scopes: ["admin"] } } as unknown as Shell;
const SETTINGS: Settings = {
  branding: { name: "Ringmaster", signInText: "" },
  logLevel: "info",
  guardDefault: "warn",
  retention: {
    events: "1d",
    traces: "90d",
    audit: null,
    threads: null,
    deletedThreads: "30d",
    fileVersions: null,
    agents: { coder: { traces: "30d" } },
  },
  masking: { rules: [{ name: "phone", pattern: "555", replacement: "…" }] },
  smtp: null,
  backup: { folder: null, everyHours: 24, keep: 7 },
  publicShares: false,
  schedulesPerPerson: 50,
  webSearch: { searxng: null, brave: null, tavily: null },
  fixed: {},
};
const KINDS = ["traces", "threads", "deletedThreads", "files", "events", "audit", "other"] as const;
const STORAGE: Storage = {
  measuredAt: "2026-11-01T00:00:00Z",
  dataDirectory: "data",
  database: "sqlite",
  totalBytes: 0,
  perDayBytes: 0,
  freeBytes: null,
  connectionProblem: null,
  kinds: KINDS.map((kind) => ({ kind, bytes: 0, perDayBytes: null, due: null, nextAt: null })),
};

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ agents: [], nextCursor: null }));
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function show(section: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(storageQuery.queryKey, STORAGE);
  const Queries = withQueries(client);
  return render(
    <Queries>
      <ShellProvider value={SHELL}>{section}</ShellProvider>
    </Queries>,
  );
}

function page(id: string, Section: ComponentType<SectionProps>, settings = SETTINGS): ReactNode {
  const section = findSection(id);
  if (!section) throw new Error(`There are no settings of ${id}.`);
  return <Section section={section} settings={settings} />;
}

const form = (id: string, Section: ComponentType<SectionProps>, rest: Omit<KeptForm, "show" | "isPage"> = {}) => ({
  show: () => page(id, Section),
  isPage: true,
  ...rest,
});

/** By the file that has the form. */
const FORMS: Readonly<Record<string, KeptForm>> = {
  "backup-section.tsx": form("backup", BackupSection),
  "guard-section.tsx": form("guard", GuardSection),
  "log-section.tsx": form("log", LogSection),
  "mail-section.tsx": form("mail", MailSection, { secrets: ["Password"], trials: ["Send a test mail to"] }),
  "masking-section.tsx": form("masking", MaskingSection, { trials: ["Try the rules on a text"] }),
  "name-section.tsx": form("name", NameSection),
  "retention-section.tsx": form("retention", RetentionSection),
  "schedules-section.tsx": form("schedules", SchedulesSection),
  "search-section.tsx": form("search", SearchSection, { secrets: ["Brave key", "Tavily key"] }),
  "sharing-section.tsx": form("sharing", SharingSection),
};

for (const [file, section] of Object.entries(FORMS)) testKept(file, section, show);

test("no form is left out", () => {
  expect(filesWith("useSettingsForm({", import.meta.dirname, readdirSync(import.meta.dirname))).toEqual(
    Object.keys(FORMS).toSorted(),
  );
});

const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

test("what differs is counted and can be taken back, and what another person saves is followed until then", () => {
  const client = new QueryClient();
  const Queries = withQueries(client);
  const at = (name: string) => (
    <Queries>
      <ShellProvider value={SHELL}>
        {page("name", NameSection, { ...SETTINGS, branding: { name, signInText: "" } })}
      </ShellProvider>
    </Queries>
  );
  const { rerender } = render(at("Ringmaster"));
  rerender(at("Acme"));
  expect(box("Name").value).toBe("Acme");
  fireEvent.change(box("Name"), { target: { value: "Mine" } });
  fireEvent.change(box("Text on the sign-in page"), { target: { value: "Ask Ana." } });
  expect(screen.getByText("2 changes")).toBeTruthy();
  rerender(at("Theirs"));
  expect(box("Name").value).toBe("Mine");
  fireEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect(box("Name").value).toBe("Theirs");
  expect(screen.queryByText(/change/)).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});
