import type { Attributes, SpanStatus as OtlpStatus, SpanKind } from "@opentelemetry/api";
import type { Traceparent } from "@/lib/schema/apis/traceparent";
import type { Span } from "@/lib/schema/traces/span";
import type { SpanContent } from "./content";
import { ERROR_TYPE, GEN_AI, OPERATION, providerName, RINGMASTER } from "./names";
import { otlpSpanId, otlpTraceId } from "./span-ids";

/** A finished span as it is encoded. Times are Unix ms. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: { readonly spanId: string; readonly isRemote: boolean } | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly status: OtlpStatus;
  readonly attributes: Attributes;
}

/** The run that spans belong to, as far as the spans do not say it themselves. */
export interface ExportedRun {
  readonly errorCode: string | null;
  /** What started it: `chat`, `api`, `schedule`, `replay` and others. */
  readonly origin: string | null;
  /** The trace and span of the caller that started the run at the top of its trace. */
  readonly caller: Traceparent | null;
}

// The numbers of @opentelemetry/api's enums, which only an installation that exports should load.
const INTERNAL: SpanKind = 0;
const CLIENT: SpanKind = 2;
const UNSET = 0;
const ERROR = 2;

/** A span as OpenTelemetry's conventions for generative AI describe it; `content` only where it may be sent. */
export function toOtlpSpan(
  span: Span & { readonly endedAtMs: number },
  run: ExportedRun,
  content: SpanContent | null,
): OtlpSpan {
  const described = describe(span);
  return {
    traceId: run.caller?.traceId ?? otlpTraceId(span.traceId),
    spanId: otlpSpanId(span.id),
    parent: parentOf(span, run),
    name: described.name,
    kind: described.kind,
    startedAtMs: span.startedAtMs,
    endedAtMs: span.endedAtMs,
    status: statusOf(span),
    attributes: withoutNothing({
      ...described.attributes,
      ...content,
      [ERROR_TYPE]: errorTypeOf(span, run),
      [RINGMASTER.traceId]: span.traceId,
      [RINGMASTER.runId]: span.runId,
      [RINGMASTER.status]: span.status,
      [RINGMASTER.origin]: span.type === "agent" ? run.origin : undefined,
      [RINGMASTER.step]: span.attributes.step,
    }),
  };
}

function parentOf({ parentId }: Span, { caller }: ExportedRun): OtlpSpan["parent"] {
  if (parentId !== null) return { spanId: otlpSpanId(parentId), isRemote: false };
  return caller && { spanId: caller.spanId, isRemote: true };
}

interface Described {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Record<string, unknown>;
}

function describe(span: Span): Described {
  switch (span.type) {
    case "agent":
      return describeAgent(span);
    case "tool":
      return describeTool(span);
    case "llm":
    case "summary":
      return typeof span.attributes.model === "string"
        ? describeCall(span, span.attributes.model)
        : describeOther(span);
    case "hook":
      return describeOther(span);
  }
}

function describeAgent({ name, attributes: own }: Span): Described {
  return {
    name: `${OPERATION.invokeAgent} ${name}`,
    kind: INTERNAL,
    attributes: {
      [GEN_AI.operation]: OPERATION.invokeAgent,
      [GEN_AI.agentId]: own.agent_id,
      [GEN_AI.agentName]: name,
      [GEN_AI.agentVersion]: own.agent_version === undefined ? undefined : String(own.agent_version),
      [GEN_AI.conversationId]: own.thread_id,
      [GEN_AI.inputTokens]: own.input_tokens,
      [GEN_AI.outputTokens]: own.output_tokens,
      [RINGMASTER.steps]: own.steps,
    },
  };
}

function describeCall({ type, name, attributes: own }: Span, spec: string): Described {
  const [provider = "", ...rest] = spec.split(":");
  const model = rest.length === 0 ? spec : rest.join(":");
  const firstMs = own.time_to_first_token_ms;
  return {
    name: `${OPERATION.chat} ${model}`,
    kind: CLIENT,
    attributes: {
      [GEN_AI.operation]: OPERATION.chat,
      [GEN_AI.provider]: providerName(provider),
      [GEN_AI.requestModel]: model,
      [GEN_AI.requestStream]: true,
      [GEN_AI.responseModel]: own.content_length === undefined ? undefined : model,
      [GEN_AI.finishReasons]: typeof own.finish_reason === "string" ? [own.finish_reason] : undefined,
      [GEN_AI.timeToFirstChunk]: typeof firstMs === "number" ? firstMs / 1_000 : undefined,
      [GEN_AI.inputTokens]: own.input_tokens,
      [GEN_AI.cachedReadTokens]: own.cached_read_tokens,
      [GEN_AI.cachedWriteTokens]: own.cached_write_tokens,
      [GEN_AI.outputTokens]: own.output_tokens,
      [GEN_AI.reasoningTokens]: own.reasoning_tokens,
      [RINGMASTER.costUsd]: own.cost_usd,
      [RINGMASTER.purpose]: type === "summary" ? name : undefined,
    },
  };
}

function describeTool({ attributes: own }: Span): Described {
  const tool = String(own.tool_name ?? "unknown");
  return {
    name: `${OPERATION.executeTool} ${tool}`,
    kind: INTERNAL,
    attributes: {
      [GEN_AI.operation]: OPERATION.executeTool,
      [GEN_AI.toolName]: tool,
      [GEN_AI.toolType]: "function",
      [GEN_AI.toolCallId]: own.tool_call_id,
    },
  };
}

function describeOther({ type, name }: Span): Described {
  return { name, kind: INTERNAL, attributes: { [RINGMASTER.spanType]: type } };
}

const FAILED: ReadonlySet<string> = new Set(["failed", "interrupted"]);

/** A tool's error is its result, so its words are content; a provider's are not. */
function statusOf({ type, status, error }: Span): OtlpStatus {
  if (!FAILED.has(status)) return { code: UNSET };
  return { code: ERROR, ...(error !== null && (type === "agent" || type === "llm") ? { message: error } : {}) };
}

function errorTypeOf({ type, status, attributes }: Span, { errorCode }: ExportedRun): string | undefined {
  if (!FAILED.has(status)) return undefined;
  if (type === "agent" && errorCode !== null) return errorCode;
  return typeof attributes.error_code === "string" ? attributes.error_code : status;
}

/** Unknown figures (null) and absent facts have no attribute. */
function withoutNothing(attributes: Record<string, unknown>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null),
  ) as Attributes;
}
