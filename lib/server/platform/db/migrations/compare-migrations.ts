/** The migrations of one database provider, as this version has them. */
export interface KnownMigrations {
  /** Oldest first. */
  readonly names: readonly string[];
  /** Those of before the first release, which the first of `names` contains. */
  readonly folded: readonly string[];
}

interface Comparison {
  /** Known ones that have to run, oldest first. */
  readonly missing: string[];
  readonly unknown: string[];
  /** Where its records are those of before the first release: all of them, so that only the records change, or some. */
  readonly folded: "none" | "some" | "all";
}

/** What the database that recorded `applied` lacks of this version, and has beyond it. */
export function compareWithKnown(applied: readonly string[], { names, folded }: KnownMigrations): Comparison {
  const has = new Set(applied);
  const count = folded.filter((name) => has.has(name)).length;
  const state = count === 0 ? "none" : count === folded.length ? "all" : "some";
  return {
    missing: names.filter((name, index) => !has.has(name) && (index > 0 || state === "none")),
    unknown: applied.filter((name) => !names.includes(name) && !folded.includes(name)),
    folded: state,
  };
}
