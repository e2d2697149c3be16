import type { TraceRecorder } from "@/lib/agent/run-context";
import type { Steering } from "@/lib/agent/steering";
import type { UserMessage } from "@/lib/schema/messages/message";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { DatabaseAway } from "@/lib/server/engine/lease-lost";
import { eventColumns } from "@/lib/server/engine/log/event-row";
import type { StoredRunLog } from "@/lib/server/engine/log/run-log";
import { announceRows, announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isNothingChanged } from "@/lib/server/platform/db/errors";
import {
  deleteQueuedStatement,
  forgetSteers,
  readSteersStatement,
  selectUnreadSteers,
  skipQueuedStatements,
} from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import {
  insertTranscriptMessageStatement,
  selectLastTranscriptPosition,
} from "@/lib/server/platform/db/queries/messages";
import { insertRunEventStatement } from "@/lib/server/platform/db/queries/run-events";
import { type QueuedMessage, toQueuedMessage } from "./queued-message";

interface SteeredSegment {
  readonly database: Database;
  readonly run: ClaimedRun;
  readonly log: StoredRunLog;
  readonly trace: TraceRecorder;
  /** Set by the host when a message may have arrived. */
  readonly control: { isSteered: boolean };
}

type SteerRead = Extract<RunEvent, { type: "steer.read" }>;

const MAX_ATTEMPTS = 4;

/** The messages that people write to this segment's run, read from the thread's queue. */
export function runSteering({ database, run, log, trace, control }: SteeredSegment): Steering {
  /** The unread steers; if there are none, corrects the count on the run's row. */
  const look = async (): Promise<QueuedMessage[]> => {
    control.isSteered = false;
    const { counted, steers } = await selectUnreadSteers(database, run);
    if (steers.length === 0 && counted !== 0) await forgetSteers(database, run.id, counted);
    return steers.map(toQueuedMessage);
  };

  /** One transaction moves them from the queue into the run's log and the transcript. */
  const store = async (steers: readonly QueuedMessage[], rows: readonly StoredRunEvent[]) => {
    const first = (await selectLastTranscriptPosition(database, run.threadId)) + 1;
    await database.runAll([
      readSteersStatement(run, steers.length),
      ...steers.map(({ row }) => deleteQueuedStatement(row)),
      ...steers.flatMap(({ row: { id } }) => skipQueuedStatements(run.threadId, { id, afterRunId: run.id })),
      ...rows.map((row) => insertRunEventStatement(eventColumns(row, run.epoch))),
      ...rows.map((row, index) => readMessageStatement(run, row, first + index)),
    ]);
  };

  const takeNow = async (step: number): Promise<readonly UserMessage[]> => {
    const steers = await look();
    if (steers.length === 0) return [];
    const events = steers.map(
      ({ message, row }): SteerRead => ({
        type: "steer.read",
        step,
        messageId: message.id,
        content: message.content,
        ...(message.images ? { images: message.images } : {}),
        sentAtMs: row.createdAt.getTime(),
      }),
    );
    let stored: readonly StoredRunEvent[] = [];
    await log.storeApart(events, async (rows) => {
      await store(steers, rows);
      stored = rows;
    });
    announceRows(run.id, stored);
    announceToUser(run.ownerId, { type: "queue.changed", threadId: run.threadId });
    for (const { event, at } of stored) {
      if (event.type !== "steer.read") continue;
      const { messageId, sentAtMs } = event;
      trace.recordEvent("steer.read", { step, message_id: messageId, waited_ms: Math.max(0, at - sentAtMs) });
    }
    return steers.map(({ message }) => message);
  };

  return {
    get mayHave() {
      return control.isSteered;
    },
    isUnread: async () => {
      const isUnread = (await look()).length > 0;
      control.isSteered = isUnread;
      return isUnread;
    },
    async take(step) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        try {
          return await takeNow(step);
        } catch (error) {
          // The process that continues the run reads from the log whether an unanswered commit was stored.
          if (isBusy(error)) throw new DatabaseAway();
          if (!isNothingChanged(error)) throw error;
          // One was edited or removed at that moment, or another process has taken the run over.
          control.isSteered = true;
        }
      }
      return [];
    },
  };
}

function readMessageStatement({ id: runId, threadId }: ClaimedRun, { event, at }: StoredRunEvent, position: number) {
  const { messageId, content, step, sentAtMs } = event as SteerRead;
  const data = { messageId, text: content, step, afterMs: Math.max(0, at - sentAtMs) };
  const parts = [
    { type: "text", text: content },
    { type: "data-steer", id: messageId, data },
  ];
  return insertTranscriptMessageStatement({
    id: messageId,
    threadId,
    runId,
    position,
    role: "user",
    parts: JSON.stringify(parts),
    text: content,
    createdAt: new Date(sentAtMs),
  });
}
