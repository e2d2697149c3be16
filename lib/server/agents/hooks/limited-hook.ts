import vm from "node:vm";
import { type GuardHook, guardHook } from "@/lib/agent/hooks/guard";
import type { Hook } from "@/lib/agent/hooks/hook";

/** What came of the calls of a hook that is tried, besides what they returned. */
export interface HookTrouble {
  /** It computed without a pause until it was ended. */
  isStuck: boolean;
  /** What a guard threw: the call is then denied, or the throw only logged. */
  thrown?: unknown;
}

/**
 * The same hook, whose functions are ended when they compute for longer than `limitMs` without a pause: nothing else in
 * this process runs during that time. What they do after their first await has no such limit.
 */
export function limitedHook(hook: Hook, limitMs: number, trouble: HookTrouble): Hook {
  const limit = <Value extends object>(phases: Value): Value =>
    Object.fromEntries(
      Object.entries(phases).map(([name, phase]) =>
        typeof phase === "function"
          ? [name, (...args: unknown[]) => callWithin(() => phase.apply(phases, args), limitMs, trouble)]
          : [name, phase],
      ),
    ) as Value;
  if (!isGuard(hook)) return limit(hook);
  const guard = Object.fromEntries(
    Object.entries(limit(hook.guard)).map(([name, phase]) => [
      name,
      async (...args: unknown[]) => {
        try {
          return await phase(...args);
        } catch (error) {
          trouble.thrown = error;
          throw error;
        }
      },
    ]),
  );
  return { ...limit(hook), ...guardHook(hook.name, guard) };
}

function isGuard(hook: Hook): hook is GuardHook {
  return "guard" in hook && typeof hook.guard === "object" && hook.guard !== null;
}

const STUCK = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Only a script has a time limit; it ends whatever the script calls, wherever that was written. */
function callWithin(work: () => unknown, limitMs: number, trouble: HookTrouble): unknown {
  try {
    return vm.runInNewContext("work()", { work }, { timeout: limitMs });
  } catch (error) {
    // It comes from the realm of the script, so it is no `Error` of this one.
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
    if (code === STUCK) trouble.isStuck = true;
    throw error;
  }
}
