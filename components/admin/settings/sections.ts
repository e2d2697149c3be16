const GROUPS = [
  {
    name: "Data",
    rows: [
      { id: "retention", word: "Retention and sizes" },
      { id: "backup", word: "Backup" },
      { id: "masking", word: "Masking" },
    ],
  },
  {
    name: "Running",
    rows: [
      { id: "sandbox", word: "Sandbox" },
      { id: "search", word: "Web search" },
      { id: "schedules", word: "Schedules" },
      { id: "guard", word: "Guard" },
      { id: "log", word: "Log" },
    ],
  },
  {
    name: "People",
    rows: [
      { id: "sharing", word: "Sharing" },
      { id: "mail", word: "Mail" },
      { id: "name", word: "Name and text" },
    ],
  },
  {
    name: "About",
    rows: [
      { id: "audit", word: "Audit" },
      { id: "version", word: "Version" },
    ],
  },
] as const;

/** The pages of the settings, in groups. */
export const SECTION_GROUPS = GROUPS;
export type SectionId = (typeof GROUPS)[number]["rows"][number]["id"];
export interface SettingsSection {
  readonly id: SectionId;
  readonly word: string;
}

export function findSection(id: string): SettingsSection | undefined {
  return GROUPS.flatMap(({ rows }): readonly SettingsSection[] => rows).find((row) => row.id === id);
}
