import { failureText } from "@/lib/schema/runs/failure-text";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { completionText } from "@/lib/server/engine/transcript/completion-text";
import type { Database } from "@/lib/server/platform/db/database";
import { hasMessaged } from "./links/last-link";

interface EndedRun {
  readonly id: string;
  readonly ownerId: string;
  readonly status: string;
  readonly errorMessage: string | null;
  readonly notice: string | null;
}

interface Told {
  /** The chat. */
  readonly channel: string;
  /** The answer. */
  readonly said: string | null;
  /** The run's log, empty once it is deleted. */
  readonly events: readonly RunEvent[];
}

const MOST_REMARKS = 3;

/**
 * The text sent to a chat: the answer, unless the run has already sent something there with the tool `message` (D-90),
 * how the run ended if that is not all, and the remarks that the thread's page shows under the answer. Null: nothing.
 */
export async function chatText(
  database: Database,
  run: EndedRun,
  { channel, said, events }: Told,
): Promise<string | null> {
  const isTold = await hasMessaged(database, run, channel);
  const text = [isTold ? null : said, isTold && run.status === "completed" ? null : endText(run, events)];
  const lines = text.filter((line) => line !== null && line !== "");
  return lines.length === 0 ? null : [...lines, ...remarkLines(events)].join("\n\n");
}

/** What the page's notice says; null where the answer says all, and where a person has stopped the run. */
function endText({ status, errorMessage, notice }: EndedRun, events: readonly RunEvent[]): string | null {
  if (status === "cancelled") return null;
  if (errorMessage !== null) return failureText(errorMessage);
  const end = events.findLast((event) => event.type === "run.completed");
  if (end) return completionText(end);
  return notice;
}

/** Each remark once, in italics. */
function remarkLines(events: readonly RunEvent[]): string[] {
  const notices = events.flatMap((event) => (event.type === "model.completed" ? (event.reply.notices ?? []) : []));
  const remarks = [...new Set(notices)];
  const left = remarks.length - MOST_REMARKS;
  const more = left > 0 ? [`${left} more ${left === 1 ? "remark stands" : "remarks stand"} on the thread's page.`] : [];
  return [...remarks.slice(0, MOST_REMARKS), ...more].map((remark) => `*${withoutMarkup(remark)}*`);
}

/** Remarks are plain text, in which names of files and words of providers stand. */
function withoutMarkup(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\\*`[\]<~$]/g, "\\$&");
}
