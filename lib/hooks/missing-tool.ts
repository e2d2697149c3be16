import type { Hook } from "@/lib/agent/hooks/hook";
import { refusedCall } from "@/lib/agent/tools/execute-tool";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";

/**
 * Tells the model when a tool exists but this agent does not have it: never `unknown tool` (D-27). The innermost
 * ring, so that all others have seen the call. `isRegistered` knows the installation's tools that are not built in.
 */
export function missingToolHook(isRegistered: (name: string) => Promise<boolean> = async () => false): Hook {
  return {
    name: "missing-tool",
    async wrapToolCall(call, next, context) {
      if (context.findTool(call.name)) return next(call);
      if (!isBuiltin(call.name) && !(await isRegistered(call.name))) return next(call);
      const text = `This agent does not have the tool ${call.name}. Find another way, or tell the user.`;
      return refusedCall(call, "rule", text);
    },
  };
}

function isBuiltin(name: string): boolean {
  return builtinToolInfos().some((tool) => tool.name === name || tool.aliases.includes(name));
}
