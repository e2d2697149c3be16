import { failedCall } from "@/lib/agent/execute-tool";
import type { Hook } from "@/lib/agent/hook";
import { runWithApproval } from "@/lib/agent/interrupts";
import type { RunContext } from "@/lib/agent/run-context";
import type { Tool } from "@/lib/agent/tool";
import type { AgentConfig } from "@/lib/schema/agent-config";
import type { InterruptDecision } from "@/lib/schema/interrupt";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { currentToolSpan } from "./current-spans";
import { explainPermission, isOffered, type PermissionSubject } from "./permissions/explain-permission";
import { ruleAliases } from "./permissions/permission-rules";

/** The settings of permissions, and what they need to know of the agent. */
export interface PermissionOptions {
  readonly permissions: AgentConfig["permissions"];
  readonly workdir: string;
}

/**
 * S2's permissions: leaves out of every request what may never be called (D-27), and decides on each call before the
 * other hooks' rings see it. An ask leaves the call pending until a person has decided.
 */
export function permissionsHook(options: PermissionOptions): Hook {
  const { permissions, workdir } = options;
  const subjectOf = (tool: Tool, context: RunContext) =>
    permissionSubject(tool, workdir, (name) => context.findTool(name)?.name === name);
  return {
    name: "permissions",

    async modifyRequest(request, context) {
      const { grants } = context.interrupts;
      const tools = request.tools.filter(({ name }) => {
        const tool = context.findTool(name);
        return !tool || isOffered(name, subjectOf(tool, context), permissions, grants);
      });
      return tools.length === request.tools.length ? request : { ...request, tools };
    },

    async wrapToolCall(call, next, context) {
      const tool = context.findTool(call.name);
      if (!tool) return isBuiltin(call.name) ? failedCall(call, notGiven(call.name)) : next(call);
      const { grants } = context.interrupts;
      const subject = subjectOf(tool, context);
      const found = explainPermission({ tool: tool.name, args: call.args }, subject, permissions, grants);
      currentToolSpan(context, call.id)?.set({
        permission: found.verdict,
        permission_by: found.by,
        ...decisionAttributes(context.interrupts.decisionOf("approval", call.id)),
      });
      if (found.verdict === "deny") return failedCall(call, found.explanation);
      if (found.verdict === "allow") return next(call);
      return runWithApproval(call, found.explanation, next, context);
    },
  };
}

/** Who has decided what, on the span of the call that goes on after it. */
function decisionAttributes(decided: InterruptDecision | undefined): Record<string, unknown> {
  if (!decided) return {};
  const edited = decided.args === undefined ? {} : { edited_args: JSON.stringify(decided.args) };
  return { approval: decided.decision, decided_by: decided.by, ...edited };
}

/** A tool as permissions see it. `isTool` tells the names of tools, which win over aliases (tools.md). */
export function permissionSubject(tool: Tool, workdir: string, isTool: (name: string) => boolean): PermissionSubject {
  const { name, aliases, argumentAliases = {}, annotations } = tool;
  return {
    aliases: ruleAliases(name, aliases).filter((alias) => !isTool(alias)),
    argumentAliases,
    annotations,
    workdir,
  };
}

/** The tool exists, but this agent does not have it: never `unknown tool` (D-27). */
function isBuiltin(name: string): boolean {
  return builtinToolInfos().some((tool) => tool.name === name || tool.aliases.includes(name));
}

function notGiven(name: string): string {
  return `This agent does not have the tool ${name}. Find another way, or tell the user.`;
}
