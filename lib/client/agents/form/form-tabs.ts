import { BASICS, HOOKS, TOOLS, WORKSPACE } from "./agent-tabs";
import { CONTEXT, KNOWLEDGE, LIMITS } from "./context-tabs";
import type { FormField, FormTab } from "./form-field";

/** The parts of the editor with fields, in order. */
export const FORM_TABS: readonly FormTab[] = [BASICS, TOOLS, KNOWLEDGE, HOOKS, CONTEXT, LIMITS, WORKSPACE];

interface EditorPart {
  readonly id: string;
  readonly label: string;
}

interface EditorTab extends EditorPart {
  /** What it shows, one at a time if there are several. */
  readonly parts: readonly EditorPart[];
}

/** The editor's tabs. */
export const EDITOR_TABS: readonly EditorTab[] = [
  { id: "basics", label: "Basics", parts: [BASICS] },
  { id: "tools", label: "Tools", parts: [TOOLS] },
  { id: "knowledge", label: "Knowledge", parts: [KNOWLEDGE] },
  { id: "advanced", label: "Advanced", parts: [HOOKS, CONTEXT, LIMITS, WORKSPACE] },
  {
    id: "versions",
    label: "Versions",
    parts: [
      { id: "versions", label: "Versions" },
      { id: "usage", label: "Usage" },
    ],
  },
];

/** Parts that had a tab of their own, in links that people kept. */
const MOVED: Readonly<Record<string, string>> = { prompt: "basics", skills: "knowledge", memory: "knowledge" };

/** The tab and the part of it that an id in the URL names: that of a part, or of a tab for its first part. */
export function findEditorPart(id: string): { readonly tab: EditorTab; readonly part: string } {
  const wanted = MOVED[id] ?? id;
  for (const tab of EDITOR_TABS) {
    const part = tab.parts.find((one) => one.id === wanted) ?? (tab.id === wanted ? tab.parts[0] : undefined);
    if (part !== undefined) return { tab, part: part.id };
  }
  return { tab: EDITOR_TABS[0] as EditorTab, part: BASICS.id };
}

export function fieldsOf(tab: FormTab): readonly FormField[] {
  return tab.groups.flatMap(({ fields }) => fields);
}
