import type { ToolCall } from "@/lib/schema/messages/message";

const MAX_DEPTH = 200;

/** Fails a call whose arguments are nested so deeply that storing them would overflow the stack. */
export function refuseDeepArguments(call: ToolCall): ToolCall {
  if (!isDeeperThan(call.args, MAX_DEPTH)) return call;
  return { ...call, args: {}, argsError: `nested more than ${MAX_DEPTH} levels deep` };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
