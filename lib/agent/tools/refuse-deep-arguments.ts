import type { ToolCall } from "@/lib/schema/messages/message";

const MAX_DEPTH = 200;

/** Turns a call whose arguments are nested so deeply that storing them would overflow the stack into a failed call. */
export function refuseDeepArguments(call: ToolCall): ToolCall {
  let level: unknown[] = [call.args];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { ...call, args: {}, argsError: `nested more than ${MAX_DEPTH} levels deep` };
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return call;
}
