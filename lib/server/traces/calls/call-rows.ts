import { hash as digest } from "node:crypto";
import { beginningOf } from "@/lib/agent/messages/cut-error";
import type { CallRecord } from "@/lib/agent/tracing/call-record";
import { callProblemKey } from "@/lib/schema/traces/problem-key";
import type { CallRow } from "@/lib/server/platform/db/queries/calls/calls";
import type { NewSpan } from "@/lib/server/platform/db/queries/spans";

/** The run that makes the calls. */
export interface CallOwner
  extends Pick<CallRow, "rootRunId" | "threadId" | "ownerId" | "agentId" | "agentVersionId" | "agentVersion"> {
  /** Of a replay: its failures are not problems of the agent. */
  readonly isReplay?: boolean;
}

/** A span as it waits to be stored; those of tool calls say whose call it is. */
interface SpanOfCall extends NewSpan {
  readonly call?: CallRecord;
  readonly owner?: CallOwner;
}

/** The version of a row that a draft wrote. */
const DRAFT = 0;
const MAX_ERROR_CHARS = 2_000;

/** The rows of the tool calls among these spans: one per call, from its latest span. */
export function callRows(spans: readonly SpanOfCall[]): CallRow[] {
  const rows = new Map<string, CallRow>();
  for (const span of spans) {
    const row = callRow(span);
    if (row) rows.set(`${row.runId} ${row.toolCallId}`, row);
  }
  return [...rows.values()];
}

function callRow({ call, owner, ...span }: SpanOfCall): CallRow | null {
  if (!call || !owner) return null;
  const { wholeArgs, annotations, aliases, coerced, ...facts } = call;
  const { isReplay = false, ...ids } = owner;
  const { id: spanId, traceId, runId, status, error, startedAtMs, endedAtMs, epoch } = span;
  return {
    ...UNJUDGED,
    ...facts,
    ...ids,
    ...{ spanId, traceId, runId, status, startedAtMs },
    argsHash: digest("sha256", wholeArgs, "hex"),
    annotations: JSON.stringify(annotations),
    aliases: JSON.stringify(aliases),
    coerced: coerced === null ? null : JSON.stringify(coerced),
    error: error === null ? null : beginningOf(error, MAX_ERROR_CHARS),
    problemKey: status === "failed" && error !== null && !isReplay ? callProblemKey(call.tool, error) : null,
    // A call that waits has not ended, though its span has.
    endedAtMs: status === "waiting" ? null : endedAtMs,
    tookMs: tookOf({ status, startedAtMs, endedAtMs }, isReplay || ids.agentVersion === DRAFT),
    ...(epoch === undefined ? {} : { epoch }),
  };
}

/** Of a call that ran to its end; what drafts try and replays answer from a recording is no measure of a tool. */
function tookOf(span: Pick<NewSpan, "status" | "startedAtMs" | "endedAtMs">, isTrial: boolean): number | null {
  const { status, startedAtMs, endedAtMs } = span;
  if (isTrial || endedAtMs === null || (status !== "completed" && status !== "failed")) return null;
  return Math.max(0, Math.round(endedAtMs - startedAtMs));
}

const UNJUDGED = {
  workdir: null,
  subject: null,
  runsIn: null,
  hadNetwork: null,
  mode: null,
  verdict: null,
  verdictBy: null,
  rule: null,
  grantId: null,
  unknownAddress: null,
  decision: null,
  decidedBy: null,
  decidedVia: null,
  decisionReason: null,
  filesLeftOut: null,
};
