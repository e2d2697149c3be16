import type { Handler } from "@/lib/agent/compose";
import { messageOf } from "@/lib/agent/hooks/hook-chain";
import { cleanText } from "@/lib/agent/messages/clean-text";
import type { RunContext } from "@/lib/agent/run-context";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { Refusal, ToolResult } from "@/lib/schema/tools/tool";
import { TimeLimitReached, withTimeLimit } from "./time-limit";
import type { Tool, ToolOutcome } from "./tool";
import type { Toolbox } from "./toolbox";

/**
 * The innermost ring of every tool call. A tool that is missing, rejects its arguments, takes too long or throws gives
 * an error result, so that the model can react; only an abort of the run is thrown.
 */
export function executeTool(toolbox: Toolbox, context: RunContext): Handler<ToolCall, ToolOutcome> {
  return async (call) => {
    const tool = toolbox.find(call.name);
    if (!tool) return failedCall(call, `unknown tool: ${call.name}`);
    if (call.argsError !== undefined) {
      return failedCall(
        call,
        `The arguments are not a JSON object (${call.argsError}). Send the call again with valid JSON.`,
      );
    }
    const parsed = tool.parse(call.args);
    if (!parsed.ok) return failedCall(call, `invalid arguments: ${parsed.message}`);
    return runTool(tool, parsed.args, call, context);
  };
}

async function runTool(tool: Tool, args: unknown, call: ToolCall, context: RunContext): Promise<ToolOutcome> {
  const timeoutMs = tool.ownTimeLimit ? null : context.config.tool_settings.timeout_ms;
  try {
    const value = await withTimeLimit(
      async (signal) => tool.execute(args, { call, signal, context }),
      context.signal,
      timeoutMs,
    );
    if (typeof value === "object" && "pending" in value) {
      return { kind: "pending", toolCallId: call.id, reason: value.pending };
    }
    if (typeof value === "object" && "refused" in value) return refusedCall(call, value.refused, value.error);
    const { output, ...rest } = typeof value === "string" ? { output: value } : value;
    return { kind: "result", result: { toolCallId: call.id, name: call.name, output: cleanText(output), ...rest } };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TimeLimitReached) {
      return failedCall(
        call,
        `${call.name} did not finish within ${timeoutMs} ms and was stopped. Try a smaller piece of work.`,
      );
    }
    return failedCall(call, messageOf(error) || `${call.name} failed without a message.`);
  }
}

/** An error result, which the model reads as the outcome of the call. */
export function failedCall(call: ToolCall, error: string): ToolOutcome {
  return { kind: "result", result: failedResult(call, error) };
}

/** The same for a call that was not allowed and had no effect. */
export function refusedCall(call: ToolCall, refused: Refusal, error: string): ToolOutcome {
  return { kind: "result", result: { ...failedResult(call, error), refused } };
}

export function failedResult(call: ToolCall, error: string): ToolResult {
  return { toolCallId: call.id, name: call.name, output: "", error: cleanText(error) };
}
