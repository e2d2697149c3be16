import "server-only";
import type { RunTranscript } from "@/lib/schema/run-transcript";
import { TranscriptMessage } from "@/lib/schema/thread";
import type { Viewer } from "@/lib/schema/user";
import { database } from "../db";
import { getRun, requireOwnRun } from "./get-run";

/** The messages of one run, a subagent's too; a run of somebody else's is `not_found`. */
export async function getTranscript(runId: string, viewer: Viewer): Promise<RunTranscript> {
  await requireOwnRun(runId, viewer.id);
  const run = await getRun(runId, viewer);
  const [thread, rows] = await Promise.all([
    database().thread.findUnique({ where: { id: run.threadId }, select: { title: true } }),
    database().transcriptMessage.findMany({
      where: { runId },
      orderBy: { position: "asc" },
      select: { id: true, role: true, parts: true },
    }),
  ]);
  const messages = rows.map(({ id, role, parts }) => TranscriptMessage.parse({ id, role, parts: JSON.parse(parts) }));
  return { run, title: thread?.title ?? null, messages };
}
