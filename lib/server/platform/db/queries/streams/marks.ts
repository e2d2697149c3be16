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
        busy.select((c) => c.fn.countAll<number>().as("count")).as("busy"),
      ];
    }),
);

interface RunMark {
  readonly id: string;
  readonly status: string;
  readonly segment: number;
  readonly last: number | null;
  readonly busy: number | null;
}

export function runMark({ id, status, segment, last, busy }: RunMark): string {
  return [id, status, segment, last, busy].join(" ");
}

/** A run's status and last event, and how many of its subagents are active. Runs that no longer exist have no mark. */
export async function selectRunMarks(database: Database, runIds: readonly string[]): Promise<Marks> {
  const rows = await database.execute(runMarks(database.dialect, idsOf(runIds)));
  return new Map(rows.map((row) => [row.id, runMark(row)]));
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

interface ThreadMark {
  readonly id: string;
  readonly compactionCount: number;
  readonly deletedAt: string | null;
  readonly last: number | null;
}

export function threadMark({ id, compactionCount, deletedAt, last }: ThreadMark): string {
  return [id, compactionCount, deletedAt, last].join(" ");
}

/** A thread's last run and compaction, and whether it was deleted. Threads that no longer exist have no mark. */
export async function selectThreadMarks(database: Database, threadIds: readonly string[]): Promise<Marks> {
  const rows = await database.execute(threadMarks(database.dialect, idsOf(threadIds)));
  return new Map(rows.map((row) => [row.id, threadMark(row)]));
}

function wanted(value: PlaceFor<Wanted>, dialect: Dialect) {
  return boundJsonRows(dialect, { id: "text" }, value("ids")).as("wanted");
}

function idsOf(ids: readonly string[]) {
  return { ids: sqlJson(ids.map((id) => ({ id }))) };
}
