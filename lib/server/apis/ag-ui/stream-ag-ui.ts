import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import { type CompletionText, completionText } from "@/lib/server/apis/completion-text";
import { cancelLeft, type OwnedRun, runHeaders, streamProblem } from "@/lib/server/apis/open-reply";
import { readEnding } from "@/lib/server/apis/openai/reply-run";
import { listOpenAsks } from "@/lib/server/engine/asks/list-open-asks";
import { restartNotice } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import type { Database } from "@/lib/server/platform/db/database";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import type { Services } from "@/lib/server/platform/services";
import { followWithAsks } from "@/lib/server/views/stream-run";
import { type AgUiEvent, AgUiEvents } from "./ag-ui-events";
import { agUiInterrupts } from "./ag-ui-interrupt";
import { AgUiUsage } from "./ag-ui-usage";

/** The ids by which the client knows its thread and this request. */
interface ClientIds {
  readonly threadId: string;
  readonly runId: string;
}

export interface FollowedRun extends OwnedRun {
  /** Only the run's rows after this number are of this request. */
  readonly after: number;
}

/** The run as AG-UI's events, until it has ended or needs a person. A client that leaves cancels it (D-46). */
export function streamAgUi(services: Services, run: FollowedRun, ids: ClientIds, signal: AbortSignal): Response {
  return eventStreamResponse(services, (stop) => agUiStream(services, run, ids, stop), {
    signal,
    headers: runHeaders(run),
    onDisconnect: () => cancelLeft(services, run),
    farewell: { data: failure(restartNotice(run.runId), "unavailable") },
  });
}

async function* agUiStream(
  services: Services,
  run: FollowedRun,
  ids: ClientIds,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  yield toSent([{ type: "RUN_STARTED", ...ids, protocolVersion: "1.0" }]);
  const events = new AgUiEvents(run.runId);
  const text = completionText("already sent");
  const usage = new AgUiUsage();
  try {
    let cursor = run.after;
    let ending: Ending | null = null;
    // Where somebody answers elsewhere as the run begins to wait, it goes on within this stream.
    for (let from = -1; ending === null && cursor > from; ) {
      from = cursor;
      for await (const rows of followWithAsks(services, run.runId, cursor, signal)) {
        const sent = rows.flatMap(({ seq, event }) => {
          if (Number.isFinite(seq)) cursor = seq;
          text.push(event);
          usage.push(event);
          return events.push(event);
        });
        if (sent.length > 0) yield toSent(sent);
      }
      if (signal.aborted) return;
      ending = await endingOf(services.database, run.runId, text);
    }
    if (ending === null) throw new AppError("unavailable", "The run goes on without this request.");
    const finished = { type: "RUN_FINISHED", ...ids, ...ending.fields, ...usage.field };
    yield toSent([...events.finish(ending.notice), finished]);
  } catch (error) {
    const { message, code } = streamProblem(services, run, error);
    yield toSent([...events.finish(), { ...failure(message, code), ...usage.field }]);
  }
}

interface Ending {
  /** Shown if the model wrote nothing. */
  readonly notice?: string;
  readonly fields: { readonly outcome: object; readonly result?: object };
}

/** Null if the run has neither ended nor an open ask. Throws the error of a run that failed. */
async function endingOf(database: Database, runId: string, text: CompletionText): Promise<Ending | null> {
  const run = await database.run.findUniqueOrThrow({ where: { id: runId } });
  const status = run.status as RunStatus;
  if (status === "cancelled") return { fields: { outcome: { type: "cancelled" } } };
  if (hasEnded(status)) {
    const { notice } = await readEnding(database, runId, text);
    return { notice: text.text === "" ? notice : "", fields: { outcome: { type: "success" }, result: { status } } };
  }
  const asks = await listOpenAsks(database, run);
  if (asks.length === 0) return null;
  return { fields: { outcome: { type: "interrupt", interrupts: agUiInterrupts(asks) } } };
}

function failure(message: string, code: string): AgUiEvent {
  return { type: "RUN_ERROR", message: redactSecrets(message), code };
}

function toSent(events: readonly AgUiEvent[]): ServerSentEvent[] {
  return events.map((data) => ({ data }));
}
