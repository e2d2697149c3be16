import { parseTimestamp } from "./dialect";
import type { SqlRow } from "./sql-statement";

/** The columns of a row that the two databases return differently. */
interface Columns<Row> {
  readonly dates?: readonly (keyof Row & string)[];
  readonly flags?: readonly (keyof Row & string)[];
}

/**
 * The rows of a raw statement converted to their type: timestamps as dates, flags as booleans. Changes the rows instead
 * of copying them, because there may be thousands.
 */
export function readRows<Row extends object>(rows: readonly SqlRow[], { dates = [], flags = [] }: Columns<Row>): Row[] {
  for (const row of rows) {
    for (const name of dates) row[name] = parseTimestamp(row[name] as string | null);
    for (const name of flags) row[name] = Boolean(row[name]);
  }
  return rows as Row[];
}

type WithDates<Row, Name extends keyof Row> = Omit<Row, Name> & {
  [Key in Name]: null extends Row[Key] ? Date | null : Date;
};

/** The rows with these timestamps as dates. Changes the rows instead of copying them, because there may be thousands. */
export function withDates<Row extends object, Name extends keyof Row & string>(
  rows: readonly Row[],
  ...names: readonly Name[]
): WithDates<Row, Name>[] {
  for (const row of rows as readonly SqlRow[]) {
    for (const name of names) row[name] = parseTimestamp(row[name] as string | null);
  }
  return rows as unknown as WithDates<Row, Name>[];
}

export function toIds(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
