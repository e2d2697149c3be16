import type { ReplayAnswer, ReplayParts } from "@/lib/hooks/replay";
import { callKey } from "@/lib/hooks/replay";
import { AppError } from "@/lib/schema/app-error";
import type { ToolCall, ToolMessage } from "@/lib/schema/messages/message";
import type { ReplayChanges } from "@/lib/schema/traces/replay";
import type { ReplayTools, ToolPolicy } from "@/lib/schema/traces/replay-tools";
import type { RecordedCall } from "./recorded-run";
import { policyOf } from "./tool-policy";

interface Recording {
  readonly calls: readonly RecordedCall[];
  readonly tools: ReplayTools;
  readonly changes?: Pick<ReplayChanges, "results" | "args">;
  /** Whether calls of the tool can run on a copy of the files. Default: none can. */
  readonly canSandbox?: (tool: string) => boolean;
  /** The tools that a person has confirmed to run although they do more than read. */
  readonly confirmed?: ReadonlySet<string>;
}

/**
 * Answers calls from a recording, or says that they run: the n-th call of a tool with these arguments gets the result
 * of the recording's n-th such call.
 */
export function recordedAnswers(recording: Recording): ReplayParts["answer"] {
  const { changes = {}, confirmed = new Set() } = recording;
  const results = new Map(Object.entries(changes.results ?? {}));
  const match = matching(recording);
  const policyFor = policies(recording);
  return (call, { place, isReadOnly }) => {
    const { own, recordedId, result } = match(call, place);
    const output = results.get(recordedId ?? call.id);
    if (output !== undefined) return { output };
    const policy = policyFor(call.name, { hasResult: result !== null, isKnown: isReadOnly !== null });
    if (policy === null) return failure(own, "has no recorded result for these arguments:");
    if (policy === "live" && isReadOnly === false && !confirmed.has(call.name)) {
      return failure(own, "would really run, and confirmLive does not name it:");
    }
    if (policy === "recorded") return asAnswer(result);
    return answerOf(policy, own, recordedId);
  };
}

interface Match {
  /** The call, with the arguments that it is changed to. */
  readonly own: ToolCall;
  readonly recordedId: string | null;
  readonly result: ToolMessage | null;
}

function matching({ calls, changes = {} }: Recording): (call: ToolCall, place: number) => Match {
  const byKey = Map.groupBy(calls, ({ key }) => key);
  const args = new Map(Object.entries(changes.args ?? {}));
  return (call, place) => {
    const found = byKey.get(callKey(call))?.[place];
    const recordedId = found?.call.id ?? null;
    const changed = args.get(recordedId ?? "");
    if (changed === undefined) return { own: call, recordedId, result: found?.result ?? null };
    const own = withArgs(call, changed);
    return { own, recordedId, result: byKey.get(callKey(own))?.[0]?.result ?? null };
  };
}

/** Null: the call's result is missing, and that ends the run. */
function policies({ tools, canSandbox = () => false }: Recording) {
  return (tool: string, { hasResult, isKnown }: { hasResult: boolean; isKnown: boolean }): ToolPolicy | null => {
    const policy = policyOf(tools, tool, canSandbox);
    if (policy !== "recorded" || hasResult) return policy;
    const { on_miss: missed } = tools;
    if (typeof missed === "object") return missed;
    const canRun = isKnown && (missed === "ask" || canSandbox(tool));
    return missed === "fail" || !canRun ? null : missed;
  };
}

function answerOf(policy: Exclude<ToolPolicy, "recorded">, call: ToolCall, recordedId: string | null): ReplayAnswer {
  if (typeof policy === "object") return { output: policy.fixed };
  if (policy === "fail") return failure(call, "is set to end the replay, and was called with");
  return { runs: call, by: policy, recordedId };
}

/** The call with other arguments. */
export function withArgs({ argsError: _, ...call }: ToolCall, args: Record<string, unknown>): ToolCall {
  return { ...call, args, rawArgs: JSON.stringify(args) };
}

function asAnswer(result: ToolMessage | null): ReplayAnswer {
  const { content = "", isError = false, images } = result ?? {};
  return isError ? { output: "", error: content } : { output: content, ...(images ? { images } : {}) };
}

const MAX_ARGS_CHARS = 400;

function failure({ name, args, rawArgs, argsError }: ToolCall, what: string): AppError {
  const text = argsError === undefined ? JSON.stringify(args) : rawArgs;
  const shown = text.length > MAX_ARGS_CHARS ? `${text.slice(0, MAX_ARGS_CHARS).toWellFormed()}…` : text;
  return new AppError("conflict", `${name} ${what} ${shown}`);
}
