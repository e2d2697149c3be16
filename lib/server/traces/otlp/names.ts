// The names that exported spans and their attributes have: OpenTelemetry's semantic conventions for generative AI
// (semantic-conventions-genai 0.1), which are in development and change. They are pinned here and nowhere else.

export const OPERATION = { invokeAgent: "invoke_agent", chat: "chat", executeTool: "execute_tool" } as const;

export const GEN_AI = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  conversationId: "gen_ai.conversation.id",
  agentId: "gen_ai.agent.id",
  agentName: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  requestModel: "gen_ai.request.model",
  requestStream: "gen_ai.request.stream",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  /** In seconds. */
  timeToFirstChunk: "gen_ai.response.time_to_first_chunk",
  /** All input, the cached parts included. */
  inputTokens: "gen_ai.usage.input_tokens",
  cachedReadTokens: "gen_ai.usage.cache_read.input_tokens",
  cachedWriteTokens: "gen_ai.usage.cache_creation.input_tokens",
  /** All output, reasoning included. */
  outputTokens: "gen_ai.usage.output_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  // Only if the operator has said so:
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
} as const;

export const ERROR_TYPE = "error.type";

/** What the conventions have no name for. */
export const RINGMASTER = {
  /** As in the API and in the address of the trace's page. */
  traceId: "ringmaster.trace_id",
  runId: "ringmaster.run_id",
  status: "ringmaster.status",
  origin: "ringmaster.origin",
  step: "ringmaster.step",
  steps: "ringmaster.steps",
  costUsd: "ringmaster.cost_usd",
  /** The kind of a span that the conventions do not describe. */
  spanType: "ringmaster.span_type",
  purpose: "ringmaster.purpose",
} as const;

/** The well-known names of providers where ours differ. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: "gcp.gemini" };

export function providerName(provider: string): string {
  return PROVIDER_NAMES[provider] ?? provider;
}
