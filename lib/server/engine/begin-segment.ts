import type { RunLog, TraceRecorder } from "@/lib/agent/run-context";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import type { AgentVersion } from "./agent-version";
import type { ClaimedRun } from "./claimed-run";

interface SegmentStart {
  readonly run: Pick<ClaimedRun, "threadId" | "agentId" | "traceId" | "assistantMessageId" | "segment" | "isInline">;
  readonly version: Pick<AgentVersion, "number" | "config">;
  /** The events of earlier segments. */
  readonly before: readonly StoredRunEvent[];
  /** The extensions that this segment runs with: hashes by file. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Only for a test run. */
  readonly draftRevision: number | undefined;
}

/**
 * Records that the segment begins, with which extensions, and which of them have changed since the previous segment.
 */
export function beginSegment(
  { run, version, before, extensions, draftRevision }: SegmentStart,
  log: RunLog,
  trace: TraceRecorder,
): void {
  const { threadId, agentId, traceId, assistantMessageId, segment } = run;
  const used = {
    ...(draftRevision === undefined ? {} : { draftRevision }),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
  const agent = { name: version.config.name, version: toRunVersion(version.number) };
  const named = run.isInline ? {} : { agent };
  log.emit({ type: "run.started", threadId, agentId, traceId, assistantMessageId, segment, ...named, ...used });
  for (const { type, ...change } of changesOf(before, extensions)) {
    log.emit({ type, ...change });
    trace.recordEvent(type, change);
  }
}

type ExtensionChanged = Extract<RunEvent, { type: "extension.changed" }>;

/** Extensions whose hash differs from the previous segment's; an added or removed extension is not a code change. */
function changesOf(before: readonly StoredRunEvent[], now: Readonly<Record<string, string>>): ExtensionChanged[] {
  const last = before.findLast(({ event }) => event.type === "run.started")?.event;
  const earlier = last?.type === "run.started" ? (last.extensions ?? {}) : {};
  return Object.entries(now).flatMap(([file, to]): ExtensionChanged[] => {
    const from = earlier[file];
    return from === undefined || from === to ? [] : [{ type: "extension.changed", file, from, to }];
  });
}
