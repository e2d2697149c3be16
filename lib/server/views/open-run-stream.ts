import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Reader, Viewer } from "@/lib/schema/users/user";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import {
  type FoundRun,
  selectChatToStream,
  selectRunToStream,
} from "@/lib/server/platform/db/queries/streams/open-run-stream";
import type { Services } from "@/lib/server/platform/services";
import { runNotFound } from "./get-run";
import { watchStoredRuns } from "./opened-run";
import { type StreamFormat, streamRun } from "./stream-run";

interface Opening {
  readonly signal: AbortSignal;
}

interface RunStream extends Opening {
  readonly format: StreamFormat;
  /** Only rows after this number are sent. */
  readonly cursor: number;
}

/** The stream of a run that the viewer can read with its thread; throws `not_found` for any other. */
export async function openRunStream(
  services: Services,
  runId: string,
  viewer: Reader,
  stream: RunStream,
): Promise<Response> {
  return opening(services, stream, async (respond) => {
    const found = await selectRunToStream(services.database, runId, viewer);
    if (!found) throw runNotFound();
    return respond({ ...found, runId }, stream);
  });
}

interface Chat extends Opening {
  readonly agentId: string;
  readonly chatId: string;
  readonly viewer: Viewer;
}

/** The whole stream of the run of a chat that has not ended; 204 when nothing runs. Throws `not_found` for no agent. */
export async function openChatStream(services: Services, { agentId, chatId, viewer, signal }: Chat): Promise<Response> {
  return opening(services, { signal }, async (respond) => {
    const access = accessOf(viewer);
    const found = await selectChatToStream(services.database, { agentId, clientId: chatId, viewer, access });
    if (!found) throw new AppError("not_found", `There is no agent "${agentId}".`);
    if (!found.run) return new Response(null, { status: 204 });
    return respond({ ...found.run, clientId: chatId }, { format: "chat", cursor: 0, signal });
  });
}

type Respond = (found: FoundRun & { readonly runId: string }, stream: RunStream) => Response;

/** From before the statement on, rows that this process stores are noticed. */
async function opening(
  services: Services,
  { signal }: Opening,
  open: (respond: Respond) => Promise<Response>,
): Promise<Response> {
  const stored = watchStoredRuns(signal);
  let isOpened = false;
  try {
    return await open(({ runId, traceId, clientId, opening: read }, stream) => {
      isOpened = read !== null;
      const opened = read ? stored.opened(read) : undefined;
      return streamRun(
        services,
        { runId, traceId: shownTraceId(traceId), clientThreadId: clientId },
        { ...stream, opened },
      );
    });
  } finally {
    if (!isOpened) stored.stop();
  }
}
