import { sql } from "kysely";
import { z } from "zod";
import { askSqliteProcess } from "@/lib/server/platform/db/aside/sqlite-process";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { buildUntyped, textStatement } from "@/lib/server/platform/db/kysely/build";
import { selectDatabaseFile } from "./sqlite-file";

const TableSize = z.object({ table: z.string(), bytes: z.coerce.number() });
type TableSize = z.infer<typeof TableSize>;

/** How much space each table takes with its indexes. On SQLite a separate process visits every page. */
export async function selectTableSizes(database: Database): Promise<TableSize[]> {
  if (database.dialect.provider === "sqlite") return measureFile(await selectDatabaseFile(database));
  const rows = await database.execute(
    textStatement(sql`select c.relname as "table", pg_total_relation_size(c.oid)::text as "bytes" from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname in (current_schema(), 'pgboss')`),
  );
  return z.array(TableSize).parse(rows);
}

const MEASURE = `
  const connection = new Connection(values[0], { readonly: true });
  reply(connection.prepare(
    'select m."tbl_name" as "table", sum(s."pgsize") as "bytes" from dbstat s ' +
    'join sqlite_master m on m."name" = s."name" where s."aggregate" = 1 group by 1').all());`;
const MEASURE_TIMEOUT_MS = 120_000;

async function measureFile(file: string): Promise<TableSize[]> {
  return z.array(TableSize).parse(await askSqliteProcess(MEASURE, [file], MEASURE_TIMEOUT_MS));
}

interface Growth {
  /** The share of the rows added since then. */
  readonly share: number;
  readonly oldest: Date | null;
}

const TIMES = { trace: "startedAt", run: "createdAt", audit_entry: "createdAt", blob: "createdAt" } as const;

/** How much of a table is new; each of these tables has an index on its time. */
export async function selectGrowth(database: Database, table: keyof typeof TIMES, since: Date): Promise<Growth> {
  const column = TIMES[table];
  const isRecent = sql`${sql.ref(column)} >= ${sqlTimestamp(since)}`;
  const [row] = await database.execute(
    buildUntyped
      .selectFrom<string>(table)
      .select((eb) => [
        eb.fn.countAll<number>().as("all"),
        sql<number | null>`sum(case when ${isRecent} then 1 else 0 end)`.as("recent"),
        eb.fn.min<string | null>(column).as("oldest"),
      ]),
  );
  const all = Number(row?.all ?? 0);
  const oldest = row?.oldest ? new Date(row.oldest) : null;
  return { share: all === 0 ? 0 : Number(row?.recent ?? 0) / all, oldest };
}
