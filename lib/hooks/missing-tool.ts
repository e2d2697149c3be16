import type { Hook } from "@/lib/agent/hooks/hook";
import { refusedCall } from "@/lib/agent/tools/execute-tool";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";

/**
 * Tells the model if a tool exists but this agent does not have it: never `unknown tool` (D-27). The innermost ring, so
 * that all others have seen the call. `explain` covers the installation's tools that are not built in, and says why
 * this agent lacks one; null for an unknown name.
 */
export function missingToolHook(explain: (name: string) => Promise<string | null> = async () => null): Hook {
  return {
    name: "missing-tool",
    async wrapToolCall(call, next, context) {
      if (context.findTool(call.name)) return next(call);
      const text = isBuiltin(call.name) ? notOfThisAgent(call.name) : await explain(call.name);
      return text === null ? next(call) : refusedCall(call, "rule", text);
    },
  };
}

/** The model's error for a tool that this agent lacks. */
export function notOfThisAgent(name: string): string {
  return `This agent does not have the tool ${name}. Find another way, or tell the user.`;
}

function isBuiltin(name: string): boolean {
  return builtinToolInfos().some((tool) => tool.name === name || tool.aliases.includes(name));
}
