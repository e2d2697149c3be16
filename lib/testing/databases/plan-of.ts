import type { CompiledQuery } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";

interface Planned {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * How the database would find the rows, in its own words. Postgres plans as if every way named in `without` (`seqscan`,
 * `sort`, …) were expensive: in a table of a few rows it is cheaper to read all of them.
 */
export async function planOf(
  database: Database,
  { sql, parameters }: Planned,
  without: readonly string[],
): Promise<string> {
  if (database.dialect.provider === "sqlite") {
    const rows = await database.raw<{ detail: string }>(`explain query plan ${sql}`, parameters);
    return rows.map(({ detail }) => detail).join("\n");
  }
  // In one transaction: the next statement of a pool may be another connection's.
  const settings = without.map((way) => ({ sql: `set local enable_${way} = off`, parameters: [] }));
  // Parameters are written out, because Postgres plans for their values.
  const text = sql.replaceAll(/\$(\d+)/g, (_, place) => literal(parameters[Number(place) - 1]));
  const results = await database.runAll([...settings, { sql: `explain ${text}`, parameters: [] }]);
  return (results.at(-1) ?? []).map((row) => String(row["QUERY PLAN"])).join("\n");
}

function literal(value: unknown): string {
  return value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`;
}

/** The first statement that `work` gives to one of these methods of the database, which then answers with no rows. */
export async function statementOf(
  database: Database,
  method: "execute" | "readAside",
  work: (watched: Database) => Promise<unknown>,
): Promise<Planned> {
  const made: CompiledQuery[] = [];
  const watched = new Proxy(database, {
    get: (all, name) =>
      name === method
        ? async (query: CompiledQuery) => {
            made.push(query);
            return [];
          }
        : Reflect.get(all, name),
  });
  await work(watched);
  const [first] = made;
  if (!first) throw new Error(`Nothing was asked of the database by ${method}.`);
  return first;
}
