import "server-only";
import { z } from "zod";
import { permissionSubject } from "@/lib/hooks/tool-subject";
import { isOffered } from "@/lib/permissions/explain-permission";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FileAccess, ProjectThreadSummary } from "@/lib/schema/projects/thread-project";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { selectLatestRunIds } from "@/lib/server/platform/db/queries/runs";
import { selectModelCalls } from "@/lib/server/platform/db/queries/spans";
import { userNames } from "@/lib/server/users/user-names";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";

interface ListedThread {
  readonly id: string;
  readonly agentId: string;
}

/** What a project's list says of its threads besides their summaries, by thread; a few queries for all. */
export async function projectThreadSummary(
  database: Database,
  threads: readonly ListedThread[],
): Promise<ReadonlyMap<string, ProjectThreadSummary>> {
  const [runs, access] = await Promise.all([latestRuns(database, threads), accessByAgent(database, threads)]);
  return new Map(
    threads.map(({ id, agentId }) => [id, { fileAccess: access.get(agentId) ?? "write", ...(runs.get(id) ?? NO_RUN) }]),
  );
}

const NO_RUN = { steps: 0, waitingFor: null, errorCode: null, cancelledBy: null };

async function latestRuns(database: Database, threads: readonly ListedThread[]) {
  const latest = await selectLatestRunIds(
    database,
    threads.map(({ id }) => id),
  );
  const rows = await database.run.findMany({
    where: { id: { in: [...latest.values()] } },
    select: {
      id: true,
      threadId: true,
      traceId: true,
      steps: true,
      waitingFor: true,
      errorCode: true,
      cancelledBy: true,
      endedAt: true,
    },
  });
  const [reached, names] = await Promise.all([
    stepsReached(
      database,
      rows.filter(({ endedAt }) => endedAt === null),
    ),
    userNames(
      database,
      rows.map(({ cancelledBy }) => cancelledBy),
    ),
  ]);
  return new Map(
    rows.map(({ id, threadId, steps, waitingFor, errorCode, cancelledBy }) => [
      threadId,
      {
        steps: Math.max(steps, reached.get(id) ?? 0),
        waitingFor: waitingFor?.split(",").find((reason) => reason !== "child") ?? null,
        errorCode,
        cancelledBy: cancelledBy === null ? null : (names.get(cancelledBy) ?? null),
      },
    ]),
  );
}

const Call = z.object({ step: z.number().default(0) });

/** The step that each running run is at: its own row gets the number when it waits or ends. */
async function stepsReached(
  database: Database,
  open: readonly { readonly traceId: string }[],
): Promise<Map<string, number>> {
  const steps = new Map<string, number>();
  if (open.length === 0) return steps;
  const calls = await selectModelCalls(
    database,
    open.map(({ traceId }) => traceId),
  );
  for (const { runId, attributes } of calls) {
    const { step } = Call.parse(JSON.parse(attributes));
    steps.set(runId, Math.max(step, steps.get(runId) ?? 0));
  }
  return steps;
}

async function accessByAgent(database: Database, threads: readonly ListedThread[]): Promise<Map<string, FileAccess>> {
  const agentIds = [...new Set(threads.map(({ agentId }) => agentId))];
  const found = await Promise.all(
    agentIds.map(async (agentId) => {
      const version = await loadCurrentVersion(database, agentId, EVERY_AGENT).catch(() => null);
      return version === null ? [] : [[agentId, fileAccessOf(version.config)] as const];
    }),
  );
  return new Map(found.flat());
}

/** What an agent's own tools may do with files; subagents and tools from elsewhere don't count. */
function fileAccessOf(config: AgentConfig): FileAccess {
  if (config.backend === undefined || config.backend === null) return "none";
  const { workdir } = config.backend;
  const permissions = permissionSettings(config);
  const mayWrite = listBuiltinTools().some(
    ([tool]) =>
      (tool.kind === "edit" || tool.kind === "command") &&
      isOffered(
        tool.name,
        permissionSubject(tool, workdir, () => false),
        permissions,
      ),
  );
  return mayWrite ? "write" : "read";
}
