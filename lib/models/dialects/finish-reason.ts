import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";

type Unified = LanguageModelV4FinishReason["unified"];

/** The reasons of several servers, in lower case. `error`: the server gave up, so the reply is not whole. */
const REASONS: Readonly<Record<string, Unified>> = {
  stop: "stop",
  stop_sequence: "stop",
  end_turn: "stop",
  eos: "stop",
  eos_token: "stop",
  complete: "stop",
  completed: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  token_limit: "length",
  content_filter: "content-filter",
  safety: "content-filter",
  recitation: "content-filter",
  prohibited_content: "content-filter",
  blocklist: "content-filter",
  sensitive: "content-filter",
  tool_calls: "tool-calls",
  tool_call: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  error: "error",
  abort: "error",
  network_error: "error",
  insufficient_system_resource: "error",
};

/** What servers write that have no reason yet. */
const NONE = ["", "null", "none", "undefined", "false", "finish_reason_unspecified", "in_progress"];

/** Words within longer reasons, such as `function_call_filter: MALFORMED_FUNCTION_CALL`. */
const REASON_PARTS: readonly (readonly [words: readonly string[], unified: Unified])[] = [
  [["malformed", "unexpected_tool", "overloaded", "server_error", "internal_error", "rate_limit"], "error"],
  [["cancel", "timeout", "timed_out", "unavailable", "failed"], "error"],
  [["content_filter", "prohibited", "safety", "blocked"], "content-filter"],
  [["max_", "limit", "length"], "length"],
];

/** Undefined while the reply goes on; some servers send a reason that is none with each piece. */
export function readFinishReason(given: unknown): LanguageModelV4FinishReason | undefined {
  const value = typeof given === "object" && given !== null ? reasonIn(given) : given;
  if (typeof value !== "string") return undefined;
  const reason = value.trim().toLowerCase();
  return NONE.includes(reason) ? undefined : { unified: REASONS[reason] ?? meaningOf(reason), raw: value };
}

function meaningOf(reason: string): Unified {
  return REASON_PARTS.find(([words]) => words.some((word) => reason.includes(word)))?.[1] ?? "other";
}

/** A reason with details beside it. */
function reasonIn(given: { readonly type?: unknown; readonly reason?: unknown }): unknown {
  return given.type ?? given.reason;
}
