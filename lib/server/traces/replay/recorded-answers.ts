import picomatch from "picomatch";
import type { ReplayParts } from "@/lib/hooks/replay";
import { callKey } from "@/lib/hooks/replay";
import { AppError } from "@/lib/schema/app-error";
import type { ToolCall, ToolMessage } from "@/lib/schema/messages/message";
import type { ReplayTools, ToolPolicy } from "@/lib/schema/traces/replay";
import type { RecordedCall } from "./recorded-run";

interface Recording {
  readonly calls: readonly RecordedCall[];
  readonly tools: ReplayTools;
  /** Texts instead of recorded results, by the id of the call. */
  readonly results?: Readonly<Record<string, string>> | undefined;
}

/**
 * Answers calls from a recording: the n-th call of a tool with these arguments gets the result of the recording's n-th
 * such call.
 */
export function recordedAnswers({ calls, tools, results = {} }: Recording): ReplayParts["answer"] {
  const byKey = Map.groupBy(calls, ({ key }) => key);
  const changed = new Map(Object.entries(results).map(([id, output]) => [id, { output }]));
  return (call, place) => {
    const policy = policyOf(tools, call.name);
    if (typeof policy === "object") return { output: policy.fixed };
    if (policy === "fail") return failure(call, "is set to end the replay, and was called with");
    const found = byKey.get(callKey(call))?.[place];
    if (!found?.result) return failure(call, "has no recorded result for these arguments:");
    return changed.get(found.call.id) ?? asAnswer(found.result);
  };
}

function asAnswer({ content, isError, images }: ToolMessage): Exclude<ReturnType<ReplayParts["answer"]>, AppError> {
  return isError ? { output: "", error: content } : { output: content, ...(images ? { images } : {}) };
}

function policyOf({ per, default: usual }: ReplayTools, tool: string): ToolPolicy {
  const found = Object.entries(per).find(([name]) => name === tool || picomatch.isMatch(tool, name));
  return found?.[1] ?? usual;
}

const MAX_ARGS_CHARS = 400;

function failure({ name, args, rawArgs, argsError }: ToolCall, what: string): AppError {
  const text = argsError === undefined ? JSON.stringify(args) : rawArgs;
  const shown = text.length > MAX_ARGS_CHARS ? `${text.slice(0, MAX_ARGS_CHARS).toWellFormed()}…` : text;
  return new AppError("conflict", `${name} ${what} ${shown}`);
}
