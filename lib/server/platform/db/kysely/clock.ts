import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "@/lib/server/platform/db/dialect";

/** The time by the database's clock, which all processes share, or that many ms later. */
export function clock(dialect: Dialect, laterMs?: number): RawBuilder<string> {
  return sql.raw(dialect.clock(laterMs === undefined ? undefined : String(Math.round(laterMs))));
}
