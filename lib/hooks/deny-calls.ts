import type { Hook } from "@/lib/agent/hooks/hook";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { refusedCall } from "@/lib/agent/tools/execute-tool";

interface DeniedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Refuses exactly these calls, even those that need no approval: the owner of the run's trigger denied them. */
export function denyCallsHook(calls: readonly DeniedCall[]): Hook {
  const denied = new Set(calls.map(({ tool, args }) => `${tool} ${canonicalArgs(args)}`));
  return {
    name: "deny-calls",
    async wrapToolCall(call, next) {
      if (!denied.has(`${call.name} ${canonicalArgs(call.args)}`)) return next(call);
      return refusedCall(call, "rule", DENIED);
    },
  };
}

const DENIED =
  "The user has decided beforehand that this call is not made here.\nDo not repeat it. Find another way, or say what is in the way.";
