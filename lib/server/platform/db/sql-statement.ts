import type { SqlValue } from "./dialect";

/** `full`: on disk before the promise resolves. `normal`: survives kill -9, may be lost in a power cut. */
export type Durability = "normal" | "full";

export type SqlRow = Record<string, unknown>;

/** One statement of a list. */
export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** The whole list fails with NothingChanged if this statement changes no row. */
  readonly mustChange?: boolean;
}
