import "server-only";
import type { OutputItem, ResponseObject, ResponseRequest, ResponseStatus } from "@/lib/schema/apis/responses";
import { AppError } from "@/lib/schema/app-error";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { Reader } from "@/lib/schema/users/user";
import { codeOf } from "@/lib/server/apis/openai/reply-run";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { responseRequestOf } from "@/lib/server/engine/run-input";
import { USAGE_COLUMNS } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import type { Services } from "@/lib/server/platform/services";
import { deleteThread } from "@/lib/server/threads/change-thread";
import { readableBy } from "@/lib/server/views/readable-by";
import { ResponseItems } from "./response-items";
import { responseError, responseObject, responseUsage, runIdOf } from "./response-object";

const STATUSES: Readonly<Record<RunStatus, ResponseStatus>> = {
  queued: "queued",
  running: "in_progress",
  waiting: "in_progress",
  completed: "completed",
  limit: "incomplete",
  failed: "failed",
  interrupted: "failed",
  cancelled: "cancelled",
};

/** The stored response of the viewer. Throws `not_found` for anybody else's, one that was not stored, and no response. */
export async function findResponse(database: Database, id: string, viewer: Reader): Promise<ResponseObject> {
  const { run, request } = await requireResponse(database, id, "response_id", viewer);
  const { output, isCut } = await outputOf(database, run.id);
  const stands = STATUSES[run.status as RunStatus];
  const { errorMessage, errorCode, endedAt } = run;
  return responseObject({
    runId: run.id,
    createdAt: run.createdAt,
    request,
    status: stands === "completed" && isCut ? "incomplete" : stands,
    output,
    endedAt,
    usage: endedAt === null ? null : responseUsage(run),
    error:
      stands === "failed" ? responseError(codeOf(errorCode), redactSecrets(errorMessage ?? "The run failed.")) : null,
  });
}

/** An item of a stored response of the viewer. Throws `not_found`. */
export async function findItem(database: Database, id: string, viewer: Reader): Promise<OutputItem> {
  const runId = runIdOf(id);
  const found = runId === null ? null : await storedRun(database, runId, viewer);
  const { output } = found ? await outputOf(database, found.run.id) : { output: [] };
  const item = output.find((one) => one.id === id);
  if (!item) throw absent("input", `Item with id '${id}' not found.`);
  return item;
}

/** The run of a stored response of the viewer. Throws `not_found`, which names the parameter. */
export async function requireResponse(database: Database, id: string, param: string, viewer: Reader) {
  const runId = runIdOf(id);
  const found = runId === null ? null : await storedRun(database, runId, viewer);
  if (!found) throw absent(param, `Response with id '${id}' not found.`);
  return found;
}

/**
 * Deletes the response with the thread that it began. Throws `conflict` for one in a longer thread, which only goes as
 * a whole.
 */
export async function deleteResponse(services: Services, id: string, viewer: Reader): Promise<void> {
  const { run } = await requireResponse(services.database, id, "response_id", viewer);
  const { id: threadId } = run.thread;
  if ((await services.database.run.count({ where: { threadId, parentRunId: null } })) > 1) {
    throw new AppError(
      "conflict",
      `This response is part of a thread with others, which is only deleted as a whole: DELETE /api/threads/${threadId}.`,
    );
  }
  await deleteThread(services, threadId, viewer);
}

const RUN_FIELDS = {
  id: true,
  input: true,
  status: true,
  createdAt: true,
  endedAt: true,
  errorCode: true,
  errorMessage: true,
  ...USAGE_COLUMNS,
  thread: { select: { id: true, agentId: true, projectId: true } },
} as const;

async function storedRun(database: Database, runId: string, viewer: Reader) {
  const run = await database.run.findFirst({
    where: { id: runId, ownerId: viewer.id, thread: { deletedAt: null, ephemeral: false, ...readableBy(viewer) } },
    select: RUN_FIELDS,
  });
  const request: ResponseRequest | null = run && responseRequestOf(run);
  return run && request?.isStored ? { run, request } : null;
}

async function outputOf(
  database: Database,
  runId: string,
): Promise<{ readonly output: readonly OutputItem[]; readonly isCut: boolean }> {
  const items = new ResponseItems(runId, "reset allowed");
  let isCut = false;
  let notice = "";
  for (const { event } of await readAllEvents(database, runId)) {
    items.push(event);
    if (event.type === "model.completed") isCut = event.reply.finishReason === "length";
    if (event.type === "run.completed") notice = event.defaultResponse ?? event.notice ?? "";
    if (event.type === "run.failed" || event.type === "run.cancelled") items.end();
  }
  if (notice !== "" && !hasText(items.output)) items.addNotice(notice);
  return { output: items.output, isCut };
}

/** Whether any step wrote something. */
export function hasText(output: readonly OutputItem[]): boolean {
  return output.some(({ type }) => type === "message");
}

function absent(path: string, message: string): AppError {
  return new AppError("not_found", message, { details: [{ path, message }] });
}
