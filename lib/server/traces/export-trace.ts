import "server-only";
import type { TraceExport } from "@/lib/schema/traces/span-body";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { getTrace } from "./get-trace";
import { countHistory, loadRunMessages } from "./load-run-messages";
import { loadNamedTexts, type MessagePlace } from "./load-sent-request";
import { maskExport } from "./mask-trace";
import { loadNotes } from "./notes/notes";
import { findShownPrompts } from "./prompt-access";

/** A trace to keep or pass on: every span in full and its run's messages. Access as for `getTrace`. */
export async function exportTrace(services: Services, viewer: Viewer, traceId: string): Promise<TraceExport> {
  const { database } = services;
  const trace = await getTrace(services, viewer, traceId, "full");
  const run = await database.run.findUnique({ where: { id: trace.runId } });
  const found = run && (await loadRunMessages(database, run));
  const showsPrompt = await findShownPrompts(database, viewer, trace.id);
  const { spans, texts } = await loadNamedTexts(database, trace.spans, {
    placeOf: (runId) => placeOf(database, runId),
    showsPrompt,
  });
  return maskExport({
    format: "ringmaster.trace",
    version: 1,
    exportedAt: new Date().toISOString(),
    trace: { ...trace, spans },
    notes: await loadNotes(database, trace.id),
    earlierMessages: found ? await countHistory(database, found) : 0,
    messages: found ? [...found.messages] : [],
    texts,
  });
}

async function placeOf(database: Database, runId: string): Promise<MessagePlace | null> {
  const run = await database.run.findUnique({ where: { id: runId } });
  return run && { threadId: run.threadId, journal: (await loadRunMessages(database, run)).messages };
}
