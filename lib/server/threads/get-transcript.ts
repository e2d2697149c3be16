import "server-only";
import type { RunTranscript } from "@/lib/schema/runs/run-transcript";
import { TranscriptMessage } from "@/lib/schema/threads/thread";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { getRun, requireReadableRun } from "@/lib/server/views/get-run";
import { agentNames } from "./thread-row";

/** The messages of one run, including a subagent's; a run the viewer can't read is `not_found`. */
export async function getTranscript(database: Database, runId: string, viewer: Viewer): Promise<RunTranscript> {
  const { ownerId } = await requireReadableRun(database, runId, viewer);
  const run = await getRun(database, runId, { ...viewer, id: ownerId });
  const [thread, rows, askedBy] = await Promise.all([
    database.thread.findUnique({ where: { id: run.threadId }, select: { title: true } }),
    database.transcriptMessage.findMany({
      where: { runId },
      orderBy: { position: "asc" },
      select: { id: true, role: true, parts: true },
    }),
    nameOfRun(database, run.parentRunId),
  ]);
  const messages = readEach(rows, "message", ({ id, role, parts }) =>
    TranscriptMessage.parse({ id, role, parts: JSON.parse(parts) }),
  );
  return { run, title: thread?.title ?? null, askedBy, messages };
}

/** The name of a run's agent; for a subagent, the name used by its parent. */
async function nameOfRun(database: Database, runId: string | null): Promise<string | null> {
  if (runId === null) return null;
  const run = await database.run.findUnique({
    where: { id: runId },
    select: { agentId: true, subagentName: true, isInline: true },
  });
  if (run?.isInline) return run.subagentName;
  return run && ((await agentNames(database, [run.agentId])).get(run.agentId) ?? run.agentId);
}
