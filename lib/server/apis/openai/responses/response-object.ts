import type {
  OutputItem,
  ResponseError,
  ResponseObject,
  ResponseRequest,
  ResponseStatus,
  ResponseUsage,
} from "@/lib/schema/apis/responses";
import type { ErrorCode } from "@/lib/schema/app-error";
import type { Usage } from "@/lib/schema/runs/usage";

export interface ResponseSource {
  readonly runId: string;
  readonly createdAt: Date;
  readonly request: ResponseRequest;
  readonly status: ResponseStatus;
  readonly output: readonly OutputItem[];
  readonly endedAt?: Date | null;
  readonly usage?: ResponseUsage | null;
  readonly error?: ResponseError | null;
}

/** OpenAI's Response for a run. */
export function responseObject(facts: ResponseSource): ResponseObject {
  const { runId, createdAt, request, status, output, endedAt = null, usage = null, error = null } = facts;
  return {
    id: responseId(runId),
    object: "response",
    created_at: seconds(createdAt),
    completed_at: status === "completed" && endedAt ? seconds(endedAt) : null,
    status,
    error,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: request.instructions,
    metadata: request.metadata,
    model: request.model,
    output: [...output],
    previous_response_id: request.previousResponseId,
    store: request.isStored,
    usage,
    background: false,
    max_output_tokens: null,
    parallel_tool_calls: true,
    reasoning: { effort: null, summary: null },
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
    truncation: "disabled",
  };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

function responseId(runId: string): string {
  return `resp_${runId}`;
}

/** The id of the run behind the id of a response or of one of its items; null for any other text. */
export function runIdOf(id: string): string | null {
  return /^(?:resp|msg|mcp)_(run_[a-z0-9]+)(?:_[a-z0-9]+)?$/.exec(id)?.[1] ?? null;
}

/** Null if the usage of any call is unknown. */
export function responseUsage(run: Usage & { readonly isUsagePartial: boolean }): ResponseUsage | null {
  if (run.isUsagePartial) return null;
  return {
    input_tokens: run.inputTokens,
    input_tokens_details: { cached_tokens: run.cachedReadTokens },
    output_tokens: run.outputTokens,
    output_tokens_details: { reasoning_tokens: run.reasoningTokens },
    total_tokens: run.inputTokens + run.outputTokens,
    ...(run.isUsageEstimated ? { estimated: true } : {}),
  };
}

/** Clients act on some of OpenAI's codes: they wait, or stop trying. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  rate_limited: "rate_limit_exceeded",
  budget_reached: "insufficient_quota",
  input_blocked: "invalid_prompt",
};

export function responseError(code: ErrorCode, message: string): ResponseError {
  return { code: CODES[code] ?? "server_error", message };
}
