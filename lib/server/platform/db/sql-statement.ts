/** `full`: on disk before the promise resolves. `normal`: survives kill -9, may be lost in a power cut. */
export type Durability = "normal" | "full";

export type SqlRow = Record<string, unknown>;

/** One statement of a list, as Kysely compiles it; parameters are `$1`, `$2`, … */
export interface SqlStatement {
  readonly sql: string;
  /** What `SqlValue` names; drivers refuse anything else. */
  readonly parameters: readonly unknown[];
  /** The whole list fails with NothingChanged if this statement changes no row. */
  readonly mustChange?: boolean;
}
