"use client";
import { DiffCount } from "@/components/ui/code/diff-count";
import { refusalWord } from "@/lib/client/chat/tool-status";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { formatBytes, formatClock } from "@/lib/client/ui/text/format";
import { useSecond } from "@/lib/client/ui/use-now";
import { formatDuration } from "@/lib/schema/format-duration";
import { ToolDisplay } from "@/lib/schema/tools/tool-display";

/** The right end of a call's head: its outcome in two words, then its duration. */
export function ToolOutcome({ call }: { call: ToolCallView }) {
  const refusal = refusalWord(call);
  if (refusal !== null) return <span className="shrink-0 text-xs text-muted">{refusal}</span>;
  return (
    <span className="tnum flex shrink-0 items-center gap-2.5 text-xs text-muted">
      {call.state === "running" && call.progress ? <Progress progress={call.progress} /> : <Outcome call={call} />}
      {call.state === "running" && call.startedAtMs !== null ? <RunningClock startedAtMs={call.startedAtMs} /> : null}
      {call.durationMs === null ? null : <span>{formatDuration(call.durationMs)}</span>}
    </span>
  );
}

/** The progress that the tool reports. */
function Progress({ progress: { progress, total, message } }: { progress: NonNullable<ToolCallView["progress"]> }) {
  const figures = total === undefined ? String(progress) : `${progress} of ${total}`;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {message ? <span className="max-w-48 truncate max-sm:hidden">{message}</span> : null}
      {total === undefined ? null : <progress className="h-1 w-12" value={progress} max={total} aria-label={figures} />}
      <span>{figures}</span>
    </span>
  );
}

export function RunningClock({ startedAtMs }: { startedAtMs: number }) {
  const now = useSecond();
  return <span className="text-live-text">{now === null ? "" : formatClock(now - startedAtMs)}</span>;
}

function Outcome({ call }: { call: ToolCallView }) {
  if (call.state === "writing") return <span className="text-live-text">writing</span>;
  if (call.state === "failed") return <span className="text-fail-text">failed</span>;
  const parsed = ToolDisplay.safeParse(call.display);
  if (!parsed.success) return null;
  const display = parsed.data;
  if (display.kind === "file-change" && display.addedLines + display.removedLines > 0)
    return <DiffCount added={display.addedLines} removed={display.removedLines} />;
  if (display.kind === "command" && display.exitCode !== 0) {
    return <span className="text-fail-text">{display.exitCode === null ? "ended" : `exit ${display.exitCode}`}</span>;
  }
  const words = countText(display);
  return words === "" ? null : <span className="max-sm:hidden">{words}</span>;
}

function countText(display: ToolDisplay): string {
  switch (display.kind) {
    case "matches":
      return counted(display.matches.length, "match", "matches", display.truncated);
    case "files":
      return counted(display.files.length, "file", "files", display.truncated);
    case "entries":
      return counted(display.entries.length + display.omitted, "entry", "entries", false);
    case "file-change":
      return formatBytes(display.sizeBytes);
    case "file-text":
      return display.totalLines === 0
        ? formatBytes(display.sizeBytes)
        : counted(display.totalLines, "line", "lines", false);
    default:
      return "";
  }
}

function counted(count: number, one: string, many: string, isCut: boolean): string {
  return `${count}${isCut ? "+" : ""} ${count === 1 ? one : many}`;
}
