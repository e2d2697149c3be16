import "server-only";
import { ResponseObject, type ResponseStatus } from "@/lib/schema/apis/responses";
import type { AppError } from "@/lib/schema/app-error";
import { type CompletionText, completionText } from "@/lib/server/apis/completion-text";
import { cancelLeft, runHeaders, streamProblem } from "@/lib/server/apis/open-reply";
import { followToEnd, readEnding, requireFirstCall } from "@/lib/server/apis/openai/reply-run";
import { restartNotice } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import { json } from "@/lib/server/http/reply";
import type { Database } from "@/lib/server/platform/db/database";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import type { Services } from "@/lib/server/platform/services";
import { followRun } from "@/lib/server/views/follow-run";
import { hasText } from "./find-response";
import { type ItemEvent, ResponseItems } from "./response-items";
import { type ResponseSource, responseError, responseObject, responseUsage } from "./response-object";
import type { StartedResponse } from "./start-response";

/** Waits for the run and answers with the whole response. */
export async function completeResponse(
  services: Services,
  started: StartedResponse,
  signal: AbortSignal,
): Promise<Response> {
  const text = completionText("reset allowed");
  const items = new ResponseItems(started.runId, "reset allowed");
  await followToEnd(services, started, signal, (event) => {
    text.push(event);
    items.push(event);
  });
  const { notice, ...ending } = await readResponseEnding(services.database, started, text);
  if (notice !== "" && !hasText(items.output)) items.addNotice(notice);
  const response = responseObject({ ...ending, output: items.output });
  return json(response, { schema: ResponseObject, headers: runHeaders(started) });
}

/** Streams the response. Throws `budget_reached` if not even the run's first call fits the budget. */
export async function streamResponse(
  services: Services,
  started: StartedResponse,
  signal: AbortSignal,
): Promise<Response> {
  await requireFirstCall(services, started, signal);
  const number = numbering();
  return eventStreamResponse(services, (stop) => responseEvents(services, started, number, stop), {
    signal,
    headers: runHeaders(started),
    onDisconnect: () => cancelLeft(services, started),
    // Read only when it is sent, because it has the last number.
    get farewell() {
      const message = restartNotice(started.runId);
      return number({ type: "error", code: "unavailable", message, param: null });
    },
  });
}

type Numbering = (event: ItemEvent) => ServerSentEvent;

function numbering(): Numbering {
  let next = 0;
  return ({ type, ...fields }) => {
    const data = { type, sequence_number: next, ...fields };
    next += 1;
    return { event: type, data };
  };
}

async function* responseEvents(
  services: Services,
  started: StartedResponse,
  number: Numbering,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  const items = new ResponseItems(started.runId, "already sent");
  const facts = await readSource(services.database, started);
  try {
    const begun = responseObject({ ...facts, status: "in_progress", output: [] });
    yield [
      number({ type: "response.created", response: begun }),
      number({ type: "response.in_progress", response: begun }),
    ];
    const text = completionText("already sent");
    for await (const rows of followRun(services, started.runId, 0, signal)) {
      const events = rows.flatMap(({ event }) => {
        text.push(event);
        return items.push(event);
      });
      if (events.length > 0) yield events.map(number);
    }
    if (signal.aborted) return;
    const { notice, ...ending } = await readResponseEnding(services.database, started, text);
    if (notice !== "" && !hasText(items.output)) yield items.addNotice(notice).map(number);
    const response = responseObject({ ...ending, output: items.output });
    yield [number({ type: `response.${ending.status}`, response })];
  } catch (error) {
    yield [...items.end(), failure(facts, items, streamProblem(services, started, error))].map(number);
  }
}

function failure(facts: RunSource, { output }: ResponseItems, problem: AppError): ItemEvent {
  const error = responseError(problem.code, redactSecrets(problem.message));
  return { type: "response.failed", response: responseObject({ ...facts, status: "failed", output, error }) };
}

type RunSource = Pick<ResponseSource, "runId" | "createdAt" | "request">;

async function readSource(database: Database, { runId, request }: StartedResponse): Promise<RunSource> {
  const { createdAt } = await database.run.findUniqueOrThrow({ where: { id: runId }, select: { createdAt: true } });
  return { runId, createdAt, request };
}

interface ResponseEnding extends Omit<ResponseSource, "output"> {
  readonly status: Extract<ResponseStatus, "completed" | "incomplete">;
  readonly notice: string;
}

async function readResponseEnding(
  database: Database,
  { runId, request }: StartedResponse,
  text: CompletionText,
): Promise<ResponseEnding> {
  const { run, isLimited, notice } = await readEnding(database, runId, text);
  const { createdAt, endedAt } = run;
  return {
    ...{ runId, createdAt, request, endedAt },
    status: isLimited ? "incomplete" : "completed",
    usage: responseUsage(run),
    notice,
  };
}
