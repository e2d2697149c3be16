import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import type { FieldProblem } from "@/lib/schema/app-error";

/** Rules that hold for nothing: whoever wrote them believes that something is denied. */
export function warnOfIdleRules({ permissions }: Pick<AgentConfig, "permissions">): FieldProblem[] {
  const { enabled, deny, ask, allow } = permissions;
  const written = Object.entries({ deny, ask, allow }).flatMap(([list, rules]) =>
    rules.flatMap((rule, index) => nameProblem(rule, `permissions.${list}.${index}`)),
  );
  if (enabled || deny.length + ask.length === 0) return written;
  const message = "Its rules to deny and to ask hold only while this is on.";
  return [{ path: "permissions.enabled", message }, ...written];
}

/** What stands in brackets in other products limits a rule to some calls; here it would be part of the tool's name. */
function nameProblem(rule: PermissionRule, path: string): FieldProblem[] {
  const name = typeof rule === "string" ? rule : rule.tool;
  const tool = name.split("(")[0]?.trim() ?? "";
  if (tool === name) return [];
  const message = `No tool is called "${name}". To limit a rule to some calls, write {tool: ${tool || "execute"}, args: {…}}.`;
  return [{ path, message }];
}
