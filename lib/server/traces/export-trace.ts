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
  const trace = await getTrace(services, viewer, traceId, "full");
  const run = await services.database.run.findUnique({ where: { id: trace.runId } });
  const found = run && (await loadRunMessages(services.database, run));
  const showsPrompt = await findShownPrompts(services.database, viewer, trace.id);
  const { spans, texts } = await loadNamedTexts(services.database, trace.spans, {
    placeOf: (runId) => placeOf(services.database, runId),
    showsPrompt,
  });
  return maskExport({
    format: "ringmaster.trace",
    version: 1,
    exportedAt: new Date().toISOString(),
    trace: { ...trace, spans },
    notes: await loadNotes(services.database, trace.id),
    earlierMessages: found ? await countHistory(services.database, found) : 0,
    messages: found ? [...found.messages] : [],
    texts,
  });
}

async function placeOf(database: Database, runId: string): Promise<MessagePlace | null> {
  const run = await database.run.findUnique({ where: { id: runId } });
  return run && { threadId: run.threadId, journal: (await loadRunMessages(database, run)).messages };
}
