import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { LastRequest } from "@/lib/schema/threads/thread-context";
import type { Viewer } from "@/lib/schema/users/user";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { requestText } from "@/lib/server/threads/context/request-text";
import { requireLastCall } from "@/lib/server/threads/context/thread-context";
import { loadStepRequest } from "@/lib/server/traces/load-sent-request";
import { rootSpanId } from "@/lib/server/traces/open-trace";

/**
 * What the last model call of the viewer's thread sent, as its trace recorded it. Throws `not_found` for a thread that
 * the viewer can't read and for one without a call, `forbidden` if the viewer may not read its agent's prompt.
 */
export async function getLastRequest(database: Database, threadId: string, viewer: Viewer): Promise<LastRequest> {
  const call = await requireLastCall(database, threadId, viewer);
  if (call === null) throw new AppError("not_found", "The model has not been called in this thread yet");
  const { run, step } = call;
  const sent = await loadStepRequest(database, { runId: run.id, rootId: rootSpanId(run.id), step });
  if (sent === null) return { step, request: null };
  const { config } = await loadAgentVersion(database, run.agentVersionId);
  return { step, request: requestText(sent, config) };
}
