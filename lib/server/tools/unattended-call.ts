import picomatch from "picomatch";
import type { Tool } from "@/lib/agent/tools/tool";
import { callSubject, permissionSubject } from "@/lib/hooks/tool-subject";
import { explainPermission, isOffered } from "@/lib/permissions/explain-permission";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { READ_FILE } from "@/lib/tools/files/file-tool-names";

/** A call that the server makes for an agent outside of a run, where nobody can be asked. */
export interface UnattendedCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Why the agent's rules do not let the server make the call, by the same function as in a run; null if they do. A call
 * that would ask is refused, unless only the mode asks and the tool only reads. Its addresses count as known, because a
 * person wrote the call or allowed it.
 */
export function whyNotUnattended({ tool, args }: UnattendedCall, config: AgentConfig): string | null {
  const permissions = permissionSettings(config);
  const subject = callSubject(permissionSubject(tool, config.backend?.workdir ?? "/workspace", notTool), tool, args);
  if (isTakenAway(tool.name, config) || !isOffered(tool.name, subject, permissions)) {
    return `its agent does not offer ${tool.name}`;
  }
  const { verdict, by } = explainPermission({ tool: tool.name, args }, subject, permissions);
  if (verdict === "allow" || (verdict === "ask" && by === "mode" && tool.annotations.readOnly)) return null;
  if (verdict === "deny") return `the rules of its agent deny this ${tool.name} call`;
  return `the rules of its agent ask before this ${tool.name} call, and nobody is asked here`;
}

/** The same for reading a file of the agent, by its path. */
export function whyNotRead(config: AgentConfig, path: string): string | null {
  const tool = listBuiltinTools().find(([{ name }]) => name === READ_FILE.name)?.[0];
  return tool ? whyNotUnattended({ tool, args: { path } }, config) : null;
}

const notTool = () => false;

function isTakenAway(name: string, { tools }: Pick<AgentConfig, "tools">): boolean {
  return !Array.isArray(tools) && tools.deny.length > 0 && picomatch(tools.deny)(name);
}

/** Whether the hook runs for the agent: all do unless the agent lists its own. */
export function hasHook({ hooks }: Pick<AgentConfig, "hooks">, name: string): boolean {
  if (hooks === null) return true;
  return hooks.some((entry) => (typeof entry === "string" ? entry === name : entry.name === name && entry.enabled));
}
