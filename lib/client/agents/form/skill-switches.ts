import { isObject } from "@/lib/client/agents/config-text/config-values";

/** Where installed skills appear in a workspace. */
const INSTALLED_FOLDER = "skills";

export interface SkillSwitches {
  /** Every skill that is found, also those that are installed later. */
  readonly isAll: boolean;
  /** Names that are on one by one. */
  readonly named: readonly string[];
}

/** What a config's `skills` mapping switches on: without a folder, nothing. */
export function skillSwitches(value: unknown): SkillSwitches {
  if (!isObject(value) || foldersOf(value).length === 0) return { isAll: false, named: [] };
  if (!Array.isArray(value.enabled)) return { isAll: true, named: [] };
  return { isAll: false, named: value.enabled.map(String) };
}

/** The mapping with these skills on; `names` null is all of them, also later ones. */
export function withSkills(value: unknown, names: readonly string[] | null): Record<string, unknown> {
  const now = isObject(value) ? value : {};
  const paths = foldersOf(now);
  const { enabled: _, ...rest } = now;
  return {
    ...rest,
    paths: paths.length === 0 ? [INSTALLED_FOLDER] : paths,
    ...(names === null ? {} : { enabled: names }),
  };
}

function foldersOf({ paths }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(paths) ? paths : [];
}
