import type { Hook } from "@/lib/agent/hooks/hook";
import { cutError } from "@/lib/agent/messages/cut-error";
import type { ModelRetry } from "@/lib/agent/model";
import { RunCancelled, RunSuspended } from "@/lib/agent/run-cancelled";
import type { RunContext, SpanHandle, TraceRecorder } from "@/lib/agent/run-context";
import type { ToolOutcome } from "@/lib/agent/tools/tool";
import { addedCallAttributes } from "@/lib/agent/tracing/call-attributes";
import { begunCall } from "@/lib/agent/tracing/call-record";
import { setCurrentModelSpan, setCurrentToolSpan } from "@/lib/agent/tracing/current-spans";
import { ChangesRecord } from "@/lib/agent/tracing/sent-changes";
import { recordSent, type SentRequest } from "@/lib/agent/tracing/sent-request";
import {
  callAttributes,
  partialAttributes,
  replyAttributes,
  requestAttributes,
  resultAttributes,
  retryAttributes,
  type SpanLimits,
  UNKNOWN_TOKENS,
} from "@/lib/agent/tracing/span-attributes";
import { stepRecord } from "@/lib/agent/tracing/step-record";

interface TracingOptions {
  readonly isVerbose: boolean;
  /** Where the run's files are. */
  readonly workspaceId?: string | null;
}

/**
 * S0's tracing hook: a span `llm.call` around every model call, with a child span `llm.attempt` for each failed
 * attempt, and a span `tool.call` around every tool call. Does nothing if no trace is active.
 */
export function tracingHook({ isVerbose, workspaceId = null }: TracingOptions): Hook {
  return {
    name: "tracing",

    async wrapModelCall(request, next, context) {
      const { trace } = context;
      if (!trace) return next(request);
      const facts = requestAttributes(request, {
        model: context.model.name,
        ...(isVerbose ? { maxInputChars: context.config.trace.max_body_chars } : {}),
      });
      const attributes = { step: context.step, ...facts, ...addedCallAttributes(context) };
      const span = trace.startSpan({ name: "llm.call", type: "llm", attributes });
      watchCall(span, context, { trace, workspaceId });
      setCurrentModelSpan(context, span);
      const startedAtMs = context.now();
      try {
        const reply = await next(request);
        span.set(replyAttributes(reply, context.config.trace));
        span.end("completed");
        return reply;
      } catch (error) {
        span.set(partialAttributes(context.streamed, startedAtMs, context.config.trace));
        span.set(UNKNOWN_TOKENS);
        endWithError(span, error, context);
        throw error;
      } finally {
        setCurrentModelSpan(context, null);
      }
    },

    async wrapToolCall(call, next, context) {
      const { trace } = context;
      if (!trace) return next(call);
      const tool = context.findTool(call.name);
      const extension = tool?.extension;
      const { step } = context;
      const attributes = {
        step,
        ...callAttributes(call, context.config.trace),
        ...(extension ? { extension: extension.file, extension_hash: extension.hash } : {}),
      };
      const begun = begunCall(call, tool, { step, maxArgsChars: context.config.trace.max_body_chars });
      const span = trace.startSpan({ name: "tool.call", type: "tool", attributes, call: begun });
      setCurrentToolSpan(context, call.id, span);
      try {
        const outcome = await next(call);
        endToolSpan(span, outcome, context.config.trace);
        return outcome;
      } catch (error) {
        endWithError(span, error, context);
        throw error;
      } finally {
        setCurrentToolSpan(context, call.id, null);
      }
    },
  };
}

const RECORD = "tracing.calls";

/** The span of the latest model call, and the last messages sent in this call and the previous one. */
interface CallRecord {
  span: SpanHandle;
  base: SentRequest | null;
  sent: SentRequest | null;
  changes: ChangesRecord;
}

interface Watched {
  readonly trace: TraceRecorder;
  readonly workspaceId: string | null;
}

/** Records on a model call's span the requests it sends and the answer that the loop keeps (D-82). */
function watchCall(span: SpanHandle, context: RunContext, { trace, workspaceId }: Watched): void {
  const known = context.values.get(RECORD) as CallRecord | undefined;
  if (known) {
    Object.assign(known, { span, base: known.sent, changes: new ChangesRecord() });
    return;
  }
  const record: CallRecord = { span, base: null, sent: null, changes: new ChangesRecord() };
  context.values.set(RECORD, record);
  context.watchModelCalls({
    onRequest(request) {
      const { chars_per_token: charsPerToken } = context.config;
      const call = { trace, spanId: record.span.id, base: record.base, added: context.added, charsPerToken };
      const { attributes, sent } = recordSent(request, call);
      record.span.set(attributes);
      record.sent = sent;
      trace.keepStep(stepRecord(sent, context, { trace, workspaceId }));
    },
    onSent: (changes) => record.span.set(record.changes.add(changes)),
    onRetry: (retry) => recordAttempt(trace, record.span, retry),
    onReply(message) {
      const hash = trace.keepMessage(message, true);
      record.span.set({ reply_hash: hash });
      const { sent } = record;
      if (sent?.spanId !== record.span.id) return;
      sent.reply = message;
      sent.hashes.push(hash);
    },
  });
}

function recordAttempt(trace: TraceRecorder, parent: SpanHandle, retry: ModelRetry): void {
  const attempt = trace.startSpan({
    name: "llm.attempt",
    type: "llm",
    parentId: parent.id,
    startedAtMs: retry.startedAtMs,
    attributes: retryAttributes(retry),
  });
  attempt.end("failed", cutError(retry.error.message));
}

function endToolSpan(span: SpanHandle, outcome: ToolOutcome, limits: SpanLimits): void {
  if (outcome.kind === "pending") {
    span.set({ waiting_for: outcome.reason });
    span.end("waiting");
    return;
  }
  span.set(resultAttributes(outcome.result, limits));
  const { error, refused } = outcome.result;
  if (error === undefined) span.end("completed");
  else span.end(refused === undefined ? "failed" : "cancelled", error);
}

function endWithError(span: SpanHandle, error: unknown, { signal }: RunContext): void {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof RunCancelled) span.end("cancelled");
  else if (reason instanceof RunSuspended) span.end("interrupted");
  else span.end("failed", cutError(reason instanceof Error ? reason.message : String(reason)));
}
