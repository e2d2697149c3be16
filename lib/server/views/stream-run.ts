import "server-only";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { listOpenAsks } from "@/lib/server/engine/asks/list-open-asks";
import { waitsInTree } from "@/lib/server/engine/children/run-tree";
import { isTerminal } from "@/lib/server/engine/log/read-events";
import { uiProjection } from "@/lib/server/engine/transcript/project-ui";
import type { ChatChunk } from "@/lib/server/engine/transcript/ui-projection-state";
import { eventStreamResponse, type ServerSentEvent, UI_MESSAGE_STREAM } from "@/lib/server/http/event-stream";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { approvalChunks } from "./approval-chunks";
import { type ChildCards, withChildren } from "./follow-children";
import { followOpened, followRun, type StopsWhere } from "./follow-run";
import type { OpenedRun } from "./opened-run";
import { agentsApiProjection, agentsApiRestart, type ProjectedRun } from "./project-agents-api";
import { runProjection } from "./project-run";
import { loadRunWithoutEvents, storedChunks } from "./run-without-events";

/** `chat` is `ui` with the AI SDK's own approvals, for clients that do not know our cards. */
export type StreamFormat = "wick" | "run" | "ui" | "chat";

interface StreamOptions {
  readonly format: StreamFormat;
  /** Only rows after this number are sent. */
  readonly cursor: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly onDisconnect?: () => void;
  /** What the opening has read of the run. */
  readonly opened?: OpenedRun | undefined;
}

/**
 * The run as Server-Sent Events: the rows stored after the cursor, then new ones, until the run has ended or waits for
 * a person; the agent API's formats also end when only its subagents wait for one. Rows before the cursor are also
 * read, because a projection needs them, but not sent.
 */
export function streamRun(services: Services, run: ProjectedRun, options: StreamOptions): Response {
  const headers = isUi(options.format) ? UI_MESSAGE_STREAM : {};
  const farewell = options.format === "wick" ? { farewell: agentsApiRestart(run) } : {};
  return eventStreamResponse(services, (signal) => projectRun(services, run, options, signal), {
    ...options,
    ...farewell,
    headers,
  });
}

async function* projectRun(
  services: Services,
  run: ProjectedRun,
  { format, cursor, opened }: StreamOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  const project = PROJECTIONS[format](run);
  const projectRows = (rows: readonly StoredRunEvent[]): ServerSentEvent[] =>
    rows.flatMap((row) => numbered(row, project(row))).flatMap(({ seq, ...event }) => (seq > cursor ? [event] : []));
  let last: StoredRunEvent | undefined;
  for await (const batch of follow(services, run, { format, opened }, signal)) {
    if ("rows" in batch) last = batch.rows.at(-1) ?? last;
    const events = "cards" in batch ? cardEvents(batch, cursor) : projectRows(batch.rows);
    if (events.length > 0) yield events;
  }
  if (signal.aborted) return;
  if (!last) yield await storedEvents(services.database, run, { format, cursor, opened });
  const closing = closingEvents(format, last);
  if (closing.length > 0) yield closing;
}

function closingEvents(format: StreamFormat, last: StoredRunEvent | undefined): ServerSentEvent[] {
  if (!isUi(format)) return [];
  const isPaused = format === "chat" && last?.event.type === "run.waiting";
  return [...(isPaused ? PAUSE : []), "[DONE]"].map((data) => ({ data }));
}

function follow(
  services: Services,
  { runId }: ProjectedRun,
  { format, opened }: Pick<StreamOptions, "format" | "opened">,
  signal: AbortSignal,
) {
  const { database } = services;
  const rows = (stopsWhere: StopsWhere) =>
    opened ? followOpened(services, opened, signal, stopsWhere) : followRun(services, runId, 0, signal, stopsWhere);
  if (!isUi(format)) return rowsOnly(withAsks(database, rows("held-up"), signal, opened));
  return withChildren(database, rows("at-rest"));
}

function isUi(format: StreamFormat): boolean {
  return format === "ui" || format === "chat";
}

/** The end of a message that continues once a person has decided. */
const PAUSE: readonly ChatChunk[] = [{ type: "finish-step" }, { type: "finish", finishReason: "tool-calls" }];

/** The stored rows and, if subagents hold the run up, a row for that pause, which only this stream has. */
export function followWithAsks(
  services: Services,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredRunEvent[]> {
  return withAsks(services.database, followRun(services, runId, after, signal, "held-up"), signal);
}

async function* withAsks(
  database: Database,
  source: AsyncIterable<readonly StoredRunEvent[]>,
  signal: AbortSignal,
  opened?: OpenedRun,
): AsyncGenerator<readonly StoredRunEvent[]> {
  let last: StoredRunEvent | undefined;
  for await (const rows of source) {
    last = rows.at(-1) ?? last;
    // A run that asked when it was read asks alone if it has never had a subagent.
    const isAlone = opened?.hasChildren === false && last?.seq === opened.rows.at(-1)?.seq;
    yield isAlone ? rows : await withChildrensAsks(database, rows);
  }
  if (last && !signal.aborted) yield await childrensPause(database, last);
}

/** If the run itself asks, its subagents' current asks are included. */
async function withChildrensAsks(
  database: Database,
  rows: readonly StoredRunEvent[],
): Promise<readonly StoredRunEvent[]> {
  const last = rows.at(-1);
  if (last?.event.type !== "run.waiting") return rows;
  const run = await database.run.findUniqueOrThrow({ where: { id: last.runId } });
  const asked = (await listOpenAsks(database, run)).filter(({ runId }) => runId !== undefined);
  if (asked.length === 0) return rows;
  return rows.with(-1, { ...last, event: { ...last.event, interrupts: [...last.event.interrupts, ...asked] } });
}

/** Subagents' asks are in their own logs: they are sent once, at the end, and have no number to resume from. */
async function childrensPause(database: Database, last: StoredRunEvent): Promise<readonly StoredRunEvent[]> {
  const { runId } = last;
  if (isTerminal(last) || last.event.type === "run.waiting" || !(await waitsInTree(database, runId))) return [];
  const row = await database.run.findUniqueOrThrow({ where: { id: runId } });
  const event = { type: "run.waiting" as const, interrupts: await listOpenAsks(database, row) };
  return [{ runId, seq: Number.POSITIVE_INFINITY, at: Date.now(), event }];
}

/** A card does not start a row: with the number of the row before it, readers accept it at once. */
function cardEvents({ cards, after }: ChildCards, cursor: number): ServerSentEvent[] {
  return cards.map((data) => ({ id: Math.max(after, cursor), data }));
}

/** For a run whose events are deleted: its stored message if requested, and how it ended. */
async function storedEvents(
  database: Database,
  run: ProjectedRun,
  { format, cursor, opened }: Pick<StreamOptions, "format" | "cursor" | "opened">,
): Promise<ServerSentEvent[]> {
  const stored = opened?.withoutEvents() ?? (await loadRunWithoutEvents(database, run.runId));
  if (!stored) return [];
  if (!isUi(format)) return [...PROJECTIONS[format](run)(stored.ending)];
  // A reader that already has a part can't be sent the whole again.
  return storedChunks(cursor > 0 ? { ...stored, message: null } : stored).map((data) => ({ data }));
}

async function* rowsOnly(source: AsyncIterable<readonly StoredRunEvent[]>) {
  for await (const rows of source) yield { rows };
}

const PROJECTIONS: {
  readonly [Format in StreamFormat]: (run: ProjectedRun) => (row: StoredRunEvent) => readonly ServerSentEvent[];
} = {
  wick: agentsApiProjection,
  run: runProjection,
  ui: () => {
    const project = uiProjection();
    return (row) => project(row).map((chunk) => ({ data: chunk }));
  },
  chat: () => {
    const project = uiProjection();
    const withApprovals = approvalChunks();
    return (row) => project(row).flatMap((chunk) => withApprovals(chunk).map((data) => ({ data })));
  },
};

/** Only the last event of a row carries its number: a client that resumes never sees half a row. */
function numbered({ seq }: StoredRunEvent, events: readonly ServerSentEvent[]) {
  const id = Number.isFinite(seq) ? { id: seq } : {};
  return events.map((event, index) => ({ seq, ...event, ...(index === events.length - 1 ? id : {}) }));
}
