import { applyPatch, diffArrays, structuredPatch } from "diff";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { readConfigText } from "./config-text";
import { type ConfigPath, changedPaths, isSame, overlaps, valueAt, withValue } from "./config-values";
import { setInText } from "./edit-config-text";

/** Three states of one text: what both began from, and what each has made of it. */
export interface DraftTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** A field that both have changed, each to something else. */
export interface FieldConflict {
  readonly path: ConfigPath;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface MergedDrafts {
  /** What only one has touched is in it; where both have, it has mine. */
  readonly text: string;
  readonly conflicts: readonly FieldConflict[];
  /** The fields that came from them. */
  readonly taken: readonly ConfigPath[];
}

/**
 * Joins two edits of one draft. Fields that only one person touched are taken from that person, with their comments as
 * far as the lines allow it. Null where one of the texts can't be read: then only a person can choose.
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

/** By the shorter of both paths, so that each conflict is decided as a whole. */
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

/** Their lines put into mine, comments included; null where that does not mean exactly what is wanted. */
function mergeLines({ base, mine, theirs }: DraftTexts, wanted: RawConfig): string | null {
  const patch = structuredPatch("draft", "draft", base, theirs, "", "", { context: 1, maxEditLength: 500 });
  if (patch === undefined) return null;
  const merged = applyPatch(mine, patch);
  return merged !== false && isSame(configOf(merged), wanted) ? merged : null;
}

/** Decides conflicts in their favour: the text with their values. */
export function takeTheirs(text: string, conflicts: readonly FieldConflict[]): string {
  return conflicts.reduce((taken, { path, theirs }) => setInText(taken, path, theirs), text);
}

/** How each line differs from the live version: there is none like it, or another one stood there. */
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
