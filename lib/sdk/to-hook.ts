import { guardHook } from "@/lib/agent/hooks/guard";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { Tool } from "@/lib/agent/tools/tool";
import { ModelReply } from "@/lib/schema/runs/run-event";
import type { HookPhases } from "./define-hook";

/** The phases that a hook can't define if it has a guard. */
const GUARD_PHASES = {
  preGeneration: "beforeAgent",
  preToolUse: "wrapToolCall",
  postToolUse: "wrapToolCall",
  postGeneration: "afterAgent",
} as const;

/**
 * Converts an extension's hook for the loop: adds the name, makes every phase async, and refuses whatever would break
 * the loop, with a sentence for the hook's author. Throws if the phases can't be used.
 */
export function toHook(name: string, phases: HookPhases): Hook {
  if (typeof phases !== "object" || phases === null) {
    throw new TypeError(`hook ${name}: create must return the hook's phases, such as guardHook({ … })`);
  }
  const { guard } = phases;
  const clash = Object.entries(GUARD_PHASES).find(([own, phase]) => guard && own in guard && phase in phases);
  if (clash) {
    throw new TypeError(`hook ${name} has ${clash[0]} in its guard and ${clash[1]} beside it: use one of them`);
  }
  return withTools({ name, ...ownPhases(phases), ...(guard ? guardHook(name, guard) : {}) }, readTools(name, phases));
}

function readTools(name: string, { tools = [] }: HookPhases): readonly Tool[] {
  if (Array.isArray(tools) && tools.every((extension) => extension?.kind === "tool")) {
    return tools.map(({ tool }) => tool);
  }
  throw new TypeError(`hook ${name}: tools must be a list of what defineTool returns`);
}

/** The hook's tools are registered before its own `beforeAgent`, which may replace them. */
function withTools<Own extends Hook>(hook: Own, tools: readonly Tool[]): Own {
  if (tools.length === 0) return hook;
  return {
    ...hook,
    async beforeAgent(context) {
      for (const tool of tools) context.registerTool(tool);
      await hook.beforeAgent?.(context);
    },
  };
}

function ownPhases(phases: HookPhases): Omit<Hook, "name"> {
  return {
    ...(phases.beforeAgent && { beforeAgent: async (context) => phases.beforeAgent?.(context) }),
    ...(phases.modifyRequest && {
      modifyRequest: async (request, context) => required(await phases.modifyRequest?.(request, context), REQUEST),
    }),
    ...(phases.wrapModelCall && {
      async wrapModelCall(request, next, context) {
        let passedOn: ModelReply | null = null;
        const remember: typeof next = async (inner) => {
          passedOn = await next(required(inner, PASSED_ON));
          return passedOn;
        };
        const reply = required(await phases.wrapModelCall?.(request, remember, context), REPLY);
        return reply === passedOn ? reply : checkReply(reply);
      },
    }),
    ...(phases.wrapToolCall && {
      wrapToolCall: async (call, next, context) => required(await phases.wrapToolCall?.(call, next, context), OUTCOME),
    }),
    ...(phases.afterAgent && { afterAgent: async (outcome, context) => phases.afterAgent?.(outcome, context) }),
  };
}

const REQUEST = "it returned no request: return the one that it got, or a changed copy";
const PASSED_ON = "it called next() without a request: call next(request)";
const REPLY = "it returned no reply: return what next(request) resolves to, or a reply of its own";
const OUTCOME = "it returned no outcome: return what next(call) resolves to";

function required<Value>(value: Value | undefined | null, problem: string): Value {
  if (value === undefined || value === null) throw new TypeError(problem);
  return value;
}

/** A reply written by a hook is stored like a model's, so it must have the shape of one. */
function checkReply(reply: unknown): ModelReply {
  const parsed = ModelReply.safeParse(reply);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TypeError(`its reply is not complete: ${issue?.path.join(".")}: ${issue?.message}`);
}
