import "server-only";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { database } from "../db";
import { eventStreamResponse, type ServerSentEvent } from "../event-stream";
import { withChildren } from "./follow-children";
import { followRun } from "./follow-run";
import { runProjection } from "./project-run";
import { uiProjection } from "./project-ui";
import { type ProjectedRun, wickProjection } from "./project-wick";
import { isTerminal } from "./read-events";

export type StreamFormat = "wick" | "run" | "ui";

interface StreamOptions {
  readonly format: StreamFormat;
  /** Only rows after this number are sent. */
  readonly cursor: number;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  readonly onDisconnect?: () => void;
  /** True: nothing is sent after the event that ends the run, though its log may go on (`compaction.completed`). */
  readonly stopsAtEnd?: boolean;
}

/**
 * The run as Server-Sent Events: what is stored after the cursor, then what comes, until the run has ended. Rows
 * before the cursor are read too, because a projection needs them, and not sent.
 */
export function streamRun(run: ProjectedRun, options: StreamOptions): Response {
  const headers: Record<string, string> = options.format === "ui" ? { "x-vercel-ai-ui-message-stream": "v1" } : {};
  return eventStreamResponse((signal) => projectRun(run, options, signal), { ...options, headers });
}

async function* projectRun(
  run: ProjectedRun,
  { format, cursor, stopsAtEnd = false }: StreamOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  const project = PROJECTIONS[format](run);
  const projectRows = (rows: readonly StoredRunEvent[]): ServerSentEvent[] =>
    (stopsAtEnd ? untilEnd(rows) : rows)
      .flatMap((row) => numbered(row, project(row)))
      .flatMap(({ seq, ...event }) => (seq > cursor ? [event] : []));
  const followed = followRun(database(), run.runId, 0, signal);
  for await (const batch of format === "ui" ? withChildren(database(), followed) : rowsOnly(followed)) {
    const events = "cards" in batch ? batch.cards.map((data) => ({ data })) : projectRows(batch.rows);
    if (events.length > 0) yield events;
  }
  if (format === "ui" && !signal.aborted) yield [{ data: "[DONE]" }];
}

async function* rowsOnly(source: AsyncIterable<readonly StoredRunEvent[]>) {
  for await (const rows of source) yield { rows };
}

function untilEnd(rows: readonly StoredRunEvent[]): readonly StoredRunEvent[] {
  const end = rows.findIndex(isTerminal);
  return end === -1 ? rows : rows.slice(0, end + 1);
}

const PROJECTIONS: {
  readonly [Format in StreamFormat]: (run: ProjectedRun) => (row: StoredRunEvent) => readonly ServerSentEvent[];
} = {
  wick: wickProjection,
  run: runProjection,
  ui: () => {
    const project = uiProjection();
    return (row) => project(row).map((chunk) => ({ data: chunk }));
  },
};

/** Only the last event of a row carries its number: a client that resumes never sees half a row. */
function numbered({ seq }: StoredRunEvent, events: readonly ServerSentEvent[]) {
  return events.map((event, index) => ({ seq, ...(index === events.length - 1 ? { ...event, id: seq } : event) }));
}
