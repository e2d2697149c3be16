import type { CompiledQuery } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, sqlJson } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows } from "@/lib/server/platform/db/kysely/json-rows";

/** Texts by id: while a text stays the same there is nothing new to read. */
type Marks = ReadonlyMap<string, string>;

/** JSON rows. */
interface Wanted {
  readonly ids: string;
}

const runMarks = hotStatements((value: PlaceFor<Wanted>, dialect) =>
  build
    .selectFrom("run as r")
    .innerJoin(wanted(value, dialect), "wanted.id", "r.id")
    .select((eb) => {
      const events = eb.selectFrom("run_event as e").whereRef("e.runId", "=", "r.id");
      const children = eb.selectFrom("run as c").whereRef("c.rootRunId", "=", "r.id");
      const busy = children.where("c.endedAt", "is", null).where("c.status", "<>", "waiting");
      return [
        ...(["r.id", "r.status", "r.segment"] as const),
        events.select((e) => e.fn.max("e.seq").as("seq")).as("last"),
        busy.select((c) => c.fn.countAll().as("count")).as("busy"),
      ];
    }),
);

/** A run's status and last event, and how many of its subagents are active. Runs that no longer exist have no mark. */
export function selectRunMarks(database: Database, runIds: readonly string[]): Promise<Marks> {
  return readMarks(database, runMarks(database.dialect, idsOf(runIds)));
}

const threadMarks = hotStatements((value: PlaceFor<Wanted>, dialect) =>
  build
    .selectFrom("thread as t")
    .innerJoin(wanted(value, dialect), "wanted.id", "t.id")
    .select((eb) => {
      const runs = eb.selectFrom("run as r").whereRef("r.threadId", "=", "t.id");
      return [
        ...(["t.id", "t.compactionCount", "t.deletedAt"] as const),
        runs.select((r) => r.fn.max("r.position").as("position")).as("last"),
      ];
    }),
);

/** A thread's last run and compaction, and whether it was deleted. Threads that no longer exist have no mark. */
export function selectThreadMarks(database: Database, threadIds: readonly string[]): Promise<Marks> {
  return readMarks(database, threadMarks(database.dialect, idsOf(threadIds)));
}

function wanted(value: PlaceFor<Wanted>, dialect: Dialect) {
  return boundJsonRows(dialect, { id: "text" }, value("ids")).as("wanted");
}

function idsOf(ids: readonly string[]) {
  return { ids: sqlJson(ids.map((id) => ({ id }))) };
}

async function readMarks(database: Database, marks: CompiledQuery<{ id: string }>): Promise<Marks> {
  const rows = await database.execute(marks);
  return new Map(rows.map((row) => [row.id, Object.values(row).join(" ")]));
}
