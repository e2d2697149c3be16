import type { Handler } from "@/lib/agent/compose";
import type { Hook } from "@/lib/agent/hooks/hook";
import { canonicalArgs, runWithApproval } from "@/lib/agent/interrupts";
import type { ModelRequest } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { ToolOutcome } from "@/lib/agent/tools/tool";
import { currentToolSpan } from "@/lib/agent/tracing/current-spans";
import { AppError } from "@/lib/schema/app-error";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolResult } from "@/lib/schema/tools/tool";
import type { RunPolicy } from "@/lib/schema/traces/replay-tools";

/** A call of a replay that runs: with its own arguments or others. */
interface RunningCall {
  readonly runs: ToolCall;
  readonly by: RunPolicy;
  /** The same call of the recording; null if there is none. */
  readonly recordedId: string | null;
}

/** What a call of a replay gets. An error ends the run. */
export type ReplayAnswer = Omit<ToolResult, "toolCallId" | "name"> | RunningCall | AppError;

interface CallPlace {
  /** How many of the run's calls before it are the same. */
  readonly place: number;
  /** Whether the tool only reads; null if the run has no such tool. */
  readonly isReadOnly: boolean | null;
}

/** What a replayed run takes from its recording. */
export interface ReplayParts {
  answer(call: ToolCall, place: CallPlace): ReplayAnswer;
  /** Called before a call runs. An answer stands in its place. */
  willRun?(call: RunningCall): Omit<ToolResult, "toolCallId" | "name"> | null;
  /** Ends the run with this error. */
  end(error: AppError): void;
}

/**
 * Answers the tool calls of a replayed run, or lets them run. Must come before every other ring around tools, so that
 * nobody is asked about a call that is answered from the recording.
 */
export function replayHook({ answer, willRun, end }: ReplayParts): Hook {
  return {
    name: "replay",
    async wrapToolCall(call, next, context) {
      const tool = context.findTool(call.name);
      const isReadOnly = tool ? (tool.annotations.readOnly ?? false) : null;
      const answered = answer(call, { place: placeOf(call, context), isReadOnly });
      if (answered instanceof AppError) {
        end(answered);
        throw answered;
      }
      if (!("runs" in answered)) return resultOf(call, answered);
      const instead = willRun?.(answered);
      return instead ? resultOf(call, instead) : runCall(answered, next, context);
    },
  };
}

function resultOf({ id: toolCallId, name }: ToolCall, answered: Omit<ToolResult, "toolCallId" | "name">): ToolOutcome {
  return { kind: "result", result: { ...answered, toolCallId, name } };
}

const ASKS = "This replay asks before it really runs a call of this tool.";

function runCall(
  { runs, by }: RunningCall,
  next: Handler<ToolCall, ToolOutcome>,
  context: RunContext,
): Promise<ToolOutcome> {
  currentToolSpan(context, runs.id)?.set({ replay_policy: by, ran_with: runs.rawArgs });
  return by === "ask" ? runWithApproval(runs, { reason: ASKS }, next, context) : next(runs);
}

/** What a step of the recording sent, besides its messages. */
export type RequestOfStep = (
  step: number,
) => Promise<Pick<ModelRequest, "system" | "tools" | "maxTokens" | "temperature">>;

/** Sends what the recorded steps sent. Must be the last hook, so that it decides what is sent. */
export function recordedRequestHook(requestOf: RequestOfStep): Hook {
  return {
    name: "recorded-request",
    async modifyRequest(request, { step }) {
      return { ...request, ...(await requestOf(step)) };
    },
  };
}

/** Names a call by its tool and arguments, whatever the order of their keys. */
export function callKey({ name, args, argsError, rawArgs }: ToolCall): string {
  return `${name} ${argsError === undefined ? canonicalArgs(args) : rawArgs}`;
}

/** How many of the run's calls before this one are the same. Counted anew each time, so that it holds after a takeover. */
function placeOf(call: ToolCall, { added }: RunContext): number {
  const key = callKey(call);
  const calls = added.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  const before = calls.slice(
    0,
    calls.findIndex(({ id }) => id === call.id),
  );
  return before.filter((one) => callKey(one) === key).length;
}
