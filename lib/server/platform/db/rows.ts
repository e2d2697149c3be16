import { parseTimestamp } from "./dialect";
import type { SqlRow } from "./sql-statement";

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
