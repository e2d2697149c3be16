import { z } from "zod";
import { RunVersion } from "./run-version";
import { SectionTokens } from "./section-tokens";
import { ShownUsage } from "./usage";

/** queued → running → (waiting ⇄ running) → one of the ended statuses. */
export const RunStatus = z.enum([
  "queued",
  "running",
  "waiting",
  "completed",
  "limit",
  "failed",
  "cancelled",
  "interrupted",
]);
export type RunStatus = z.infer<typeof RunStatus>;

export const OPEN_STATUSES = ["queued", "running", "waiting"] as const satisfies RunStatus[];
export const ENDED_STATUSES = ["completed", "limit", "failed", "cancelled", "interrupted"] as const;

export function hasEnded(status: RunStatus): boolean {
  return (ENDED_STATUSES as readonly RunStatus[]).includes(status);
}

/** Why a run failed, described for a person. `code` is one of ERROR_STATUS. */
/** Whether a run ended in a way that allows Continue or Retry; a completed one allows them if it has a notice. */
export function endedUnfinished({
  status,
  notice,
}: {
  readonly status: string;
  readonly notice: string | null;
}): boolean {
  if (status === "completed") return notice !== null;
  return hasEnded(status as RunStatus);
}

/**
 * The possible origins of runs. `chat` and `api` are a person's message, on the page or with a key or over `/agents`
 * and `/v1`.
 */
export const RunOriginKind = z.enum([
  "chat",
  "api",
  "subagent",
  "schedule",
  "heartbeat",
  "webhook",
  "channel",
  "delegation",
  "handoff",
  "board",
  "replay",
]);
export type RunOriginKind = z.infer<typeof RunOriginKind>;

/** Details of an automatic start: the trigger, and where its message came from. */
export const OriginDetails = z.object({
  triggerId: z.string().optional(),
  firingId: z.string().optional(),
  channel: z.string().optional(),
  chatId: z.string().optional(),
  sender: z.string().optional(),
  boardId: z.string().optional(),
  cardId: z.string().optional(),
});
export type OriginDetails = z.infer<typeof OriginDetails>;

/** The origin of a run. */
const RunOrigin = OriginDetails.extend({ kind: RunOriginKind });
export type RunOrigin = z.infer<typeof RunOrigin>;

/**
 * A run's start, as runs and traces show it; `attended`: a person's message started it, directly or through its parent.
 */
/** Whether the run answers in a channel's chat: it came from there, or the run before it handed that chat over. */
export function answersChat(run: { readonly origin: string; readonly originDetails: string | null }): run is {
  readonly origin: "channel" | "handoff";
  readonly originDetails: string;
} {
  return (run.origin === "channel" || run.origin === "handoff") && run.originDetails !== null;
}

export const RUN_START = { origin: RunOrigin, attended: z.boolean() } as const;

/** What a request to a provider can't get past, however often it is repeated, and which provider that was. */
export const FailureCause = z.object({
  kind: z.enum(["key_refused", "access_refused", "unknown_model", "too_long", "too_large"]),
  provider: z.string(),
});
export type FailureCause = z.infer<typeof FailureCause>;

export const RunError = z.object({
  code: z.string(),
  message: z.string(),
  /** Absent if repeating the request may help, and in runs of earlier versions. */
  cause: FailureCause.optional(),
});
export type RunError = z.infer<typeof RunError>;

/** `GET /api/runs/{id}`. Times are ISO 8601; `costUsd` is null if a price is unknown. */
export const Run = z.object({
  id: z.string(),
  threadId: z.string(),
  agentId: z.string(),
  version: RunVersion,
  status: RunStatus,
  /** Null if no trace is kept. */
  traceId: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  usage: ShownUsage.extend({ totalTokens: z.number().nullable(), costUsd: z.number().nullable() }),
  steps: z.number(),
  continuesRunId: z.string().nullable(),
  /** Of a replay: the run that it replays, the first step that it runs itself, and the replay that it belongs to. */
  replayOf: z.string().optional(),
  fromStep: z.number().optional(),
  replayId: z.string().optional(),
  /** The reason its calls wait: `child` alone is shown as running, anything else needs a person. */
  waitingFor: z.string().nullable(),
  ...RUN_START,
  /** The run whose call started this one as a subagent. */
  parentRunId: z.string().nullable(),
  error: RunError.optional(),
  /** Estimated tokens of each section of its first system prompt; absent until the first model call. */
  promptSections: z.array(SectionTokens).optional(),
});
export type Run = z.infer<typeof Run>;

/** Query of a run's streams: they begin after the event with this number, whatever `Last-Event-ID` says. */
export const RunStreamQuery = z.object({ after: z.string().optional() });
