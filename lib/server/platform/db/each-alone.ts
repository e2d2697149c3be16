import { logger } from "@/lib/server/platform/logger";
import { isBusy } from "./errors";

/**
 * Does the work for one item after the other. An item whose rows can't be read is logged and holds up no other; a
 * database that is busy or away is thrown, because then none will succeed.
 */
export async function eachAlone<Item>(
  items: Iterable<Item>,
  doing: string,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isBusy(error)) throw error;
      logger().error({ err: error, item, doing }, "one of several could not be dealt with");
    }
  }
}

/** A row as the log names it. */
type Named = { readonly id: string } | { readonly name: string };

/** What `read` makes of each row, without those that it can't read, which are logged. */
export function readEach<Row extends Named, Read>(
  rows: readonly Row[],
  what: string,
  read: (row: Row) => Read,
): Read[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      logger().error({ err: error, id: "id" in row ? row.id : row.name, what }, "a row of the database can't be read");
      return [];
    }
  });
}
