import { type ConfigPath, overlaps } from "@/lib/client/agents/config-text/config-values";
import type { FormField, FormTab } from "./form-field";
import { FORM_TABS, fieldsOf } from "./form-tabs";

/** The field that shows a path, or an ancestor of it; null if only the YAML does. */
export function fieldAt(path: ConfigPath): { tab: FormTab; field: FormField } | null {
  const found = FORM_TABS.flatMap((tab) => fieldsOf(tab).map((field) => ({ tab, field })));
  return (
    found
      .filter(({ field }) => field.path.length <= path.length && overlaps(field.path, path))
      // A block is also a field.
      .toSorted((left, right) => right.field.path.length - left.field.path.length)[0] ??
    found.find(({ field }) => path.length > 0 && overlaps(field.path, path)) ??
    null
  );
}

/** A field's name in the form, or its name in the YAML. */
export function fieldLabel(path: ConfigPath): string {
  if (path[0] === "hooks") return "Hooks";
  const found = fieldAt(path);
  if (found === null || !overlaps(found.field.path, path) || found.field.path.length > path.length)
    return path.join(".");
  const group = found.tab.groups.find(({ fields }) => fields.includes(found.field));
  return group?.title === undefined || group.title === found.tab.label
    ? found.field.label
    : `${group.title}: ${lower(found.field.label)}`;
}

function lower(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
