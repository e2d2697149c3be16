import "server-only";
import type { AskSource } from "@/lib/schema/runs/interrupt";
import { RunOriginKind } from "@/lib/schema/runs/run";
import { originDetailsOf } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";

interface Started {
  readonly id: string;
  readonly origin: string;
  readonly originDetails: string | null;
}

/** What started each run, by id: that of its root run, because a subagent's own says nothing new. */
export async function sourcesOf(database: Database, rootRunIds: readonly string[]): Promise<Map<string, AskSource>> {
  const runs = await database.run.findMany({
    where: { id: { in: [...new Set(rootRunIds)] } },
    select: { id: true, origin: true, originDetails: true },
    orderBy: { id: "asc" },
  });
  const [triggers, boards] = await Promise.all([
    database.trigger.findMany({
      where: { id: { in: idsOf(runs, "triggerId") } },
      select: { id: true, name: true },
      orderBy: { id: "asc" },
    }),
    database.board.findMany({
      where: { id: { in: idsOf(runs, "boardId") } },
      select: { id: true, name: true },
      orderBy: { id: "asc" },
    }),
  ]);
  const names = new Map([...triggers, ...boards].map(({ id, name }) => [id, name]));
  return new Map(
    runs.map((run) => {
      const { triggerId, boardId } = originDetailsOf(run);
      const name = names.get(boardId ?? triggerId ?? "") ?? null;
      return [run.id, { kind: RunOriginKind.catch("chat").parse(run.origin), name }];
    }),
  );
}

function idsOf(runs: readonly Started[], field: "triggerId" | "boardId"): string[] {
  return runs.flatMap((run) => originDetailsOf(run)[field] ?? []);
}
