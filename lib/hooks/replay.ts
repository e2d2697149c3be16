import type { Hook } from "@/lib/agent/hooks/hook";
import { canonicalArgs } from "@/lib/agent/interrupts";
import type { ModelRequest } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { AppError } from "@/lib/schema/app-error";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolResult } from "@/lib/schema/tools/tool";

/** What a replayed run takes from its recording. */
export interface ReplayParts {
  /** What a step sent, besides its messages. */
  requestOf(step: number): Promise<Pick<ModelRequest, "system" | "tools" | "maxTokens" | "temperature">>;
  /** The answer to the call; `place` counts the same calls of the run before it. An error ends the run. */
  answer(call: ToolCall, place: number): Omit<ToolResult, "toolCallId" | "name"> | AppError;
  /** Ends the run with this error. */
  end(error: AppError): void;
}

/** Stands for the tools of a replayed run: none of them runs. Must be the last hook, so that it decides what is sent. */
export function replayHook({ requestOf, answer, end }: ReplayParts): Hook {
  return {
    name: "replay",
    async modifyRequest(request, { step }) {
      return { ...request, ...(await requestOf(step)) };
    },
    async wrapToolCall(call, _, context) {
      const answered = answer(call, placeOf(call, context));
      if (answered instanceof Error) {
        end(answered);
        throw answered;
      }
      return { kind: "result", result: { ...answered, toolCallId: call.id, name: call.name } };
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
