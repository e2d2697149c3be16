import { withoutEndTokens } from "@/lib/models/dialects/end-tokens";
import type { ProviderMetadata, ToolCall } from "@/lib/schema/messages/message";

type ArgumentsResult =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly message: string };

/**
 * Parses the arguments that a model wrote. Empty text means no arguments: several providers send it for tools without
 * any.
 */
function parseArguments(rawArgs: string): ArgumentsResult {
  if (rawArgs.trim() === "") return { ok: true, args: {} };
  try {
    const value: unknown = JSON.parse(rawArgs);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { ok: true, args: value as Record<string, unknown> };
    }
    return { ok: false, message: "the arguments must be one JSON object" };
  } catch (error) {
    return {
      ok: false,
      message: `the arguments are not valid JSON: ${error instanceof Error ? error.message : error}`,
    };
  }
}

/** Parses a model's tool call; invalid arguments set `argsError` and leave `args` empty. */
export function toolCallFromText(
  call: { readonly id: string; readonly name: string; readonly rawArgs: string },
  providerMetadata?: ProviderMetadata,
): ToolCall {
  const parsed = parseArguments(withoutEndTokens(call.rawArgs));
  return {
    id: call.id,
    name: call.name,
    args: parsed.ok ? parsed.args : {},
    rawArgs: call.rawArgs,
    ...(parsed.ok ? {} : { argsError: parsed.message }),
    ...(providerMetadata ? { providerMetadata } : {}),
  };
}
