import { applyPatch, diffArrays, structuredPatch } from "diff";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { readConfigText } from "./config-text";
import { type ConfigPath, changedPaths, isSame, overlaps, valueAt, withValue } from "./config-values";
import { setInText } from "./edit-config-text";

/** Three states of one text: the common base, and each side's edit of it. */
export interface DraftTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** A field that both sides changed differently. */
export interface FieldConflict {
  readonly path: ConfigPath;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface MergedDrafts {
  /** Contains each side's changes; where both changed a field, mine wins. */
  readonly text: string;
  readonly conflicts: readonly FieldConflict[];
  /** The fields taken from their side. */
  readonly taken: readonly ConfigPath[];
}

/**
 * Merges two edits of one draft. Fields that only one person changed are taken from that person, with their comments as
 * far as the lines allow. Null if one of the texts can't be read: then only a person can choose.
 */
export function mergeDrafts({ base, mine, theirs }: DraftTexts): MergedDrafts | null {
  if (mine === theirs || theirs === base) return { text: mine, conflicts: [], taken: [] };
  if (mine === base) return { text: theirs, conflicts: [], taken: [] };
  const configs = { base: configOf(base), mine: configOf(mine), theirs: configOf(theirs) };
  if (configs.base === null || configs.mine === null || configs.theirs === null) return null;
  const ofMine = changedPaths(configs.base, configs.mine);
  const ofTheirs = changedPaths(configs.base, configs.theirs);
  const conflicts = findConflicts(ofMine, ofTheirs, configs.mine, configs.theirs);
  const inConflict = (path: ConfigPath) => conflicts.some((conflict) => overlaps(conflict.path, path));
  const taken = ofTheirs.filter(({ path }) => !inConflict(path));
  const wanted = taken.reduce((config, { path, after }) => withValue(config, path, after), configs.mine);
  const text =
    mergeLines({ base, mine, theirs }, wanted) ??
    taken.reduce((merged, { path, after }) => setInText(merged, path, after), mine);
  return { text, conflicts, taken: taken.map(({ path }) => path) };
}

function configOf(text: string): RawConfig | null {
  return readConfigText(text).config;
}

type Changes = ReturnType<typeof changedPaths>;

/** By the shorter of the two paths, so that each conflict is decided as a whole. */
function findConflicts(ofMine: Changes, ofTheirs: Changes, mine: RawConfig, theirs: RawConfig): FieldConflict[] {
  const paths = new Map<string, ConfigPath>();
  for (const left of ofMine) {
    for (const right of ofTheirs) {
      if (!overlaps(left.path, right.path)) continue;
      const path = left.path.length < right.path.length ? left.path : right.path;
      paths.set(JSON.stringify(path), path);
    }
  }
  return [...paths.values()]
    .map((path) => ({ path, mine: valueAt(mine, path), theirs: valueAt(theirs, path) }))
    .filter((conflict) => !isSame(conflict.mine, conflict.theirs));
}

/** Their lines merged into mine, comments included; null if the result does not mean exactly what is wanted. */
function mergeLines({ base, mine, theirs }: DraftTexts, wanted: RawConfig): string | null {
  const patch = structuredPatch("draft", "draft", base, theirs, "", "", { context: 1, maxEditLength: 500 });
  if (patch === undefined) return null;
  const merged = applyPatch(mine, patch);
  return merged !== false && isSame(configOf(merged), wanted) ? merged : null;
}

/** Resolves conflicts in their favour: the text with their values. */
export function takeTheirs(text: string, conflicts: readonly FieldConflict[]): string {
  return conflicts.reduce((taken, { path, theirs }) => setInText(taken, path, theirs), text);
}

/** A line's difference from the live version: it has no counterpart there, or a different one. */
export type LineMark = "new" | "changed";

/** By line number from 1. */
export function markLines(live: string, text: string): ReadonlyMap<number, LineMark> {
  const marks = new Map<number, LineMark>();
  if (live === text) return marks;
  const parts = diffArrays(live.split("\n"), text.split("\n"), { maxEditLength: 2_000 });
  if (parts === undefined) return marks;
  let line = 1;
  let removed = 0;
  for (const { added, removed: isRemoved, count } of parts) {
    if (isRemoved) {
      removed = count;
      continue;
    }
    for (let index = 0; added && index < count; index += 1)
      marks.set(line + index, index < removed ? "changed" : "new");
    removed = 0;
    line += count;
  }
  return marks;
}
