import { BASICS, HOOKS, PROMPT, TOOLS, WORKSPACE } from "./agent-tabs";
import { CONTEXT, LIMITS, MEMORY, SKILLS } from "./context-tabs";
import type { FormField, FormTab } from "./form-field";

/** The tabs with fields, in order. */
export const FORM_TABS: readonly FormTab[] = [BASICS, PROMPT, TOOLS, HOOKS, WORKSPACE, SKILLS, MEMORY, CONTEXT, LIMITS];

export function fieldsOf(tab: FormTab): readonly FormField[] {
  return tab.groups.flatMap(({ fields }) => fields);
}
