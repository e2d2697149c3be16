import type { Hook } from "@/lib/agent/hooks/hook";
import type { RunContext } from "@/lib/agent/run-context";
import { refusedCall } from "@/lib/agent/tools/execute-tool";
import type { Tool } from "@/lib/agent/tools/tool";
import { ruleMatches, ruleNames } from "@/lib/permissions/permission-rules";
import type { ToolCall } from "@/lib/schema/messages/message";
import { type AllowedTool, allowedToolText, commandMatches } from "@/lib/skills/allowed-tools";
import { toolSubject } from "./tool-subject";

/** The tool restriction of a run started by a skill's command: only the tools that the skill allows. */
export interface Narrowing {
  readonly skill: string;
  readonly allowed: readonly AllowedTool[];
  /** The skill's folder, whose files may always be read. */
  readonly folder: string;
  readonly workdir: string;
}

/**
 * Refuses calls that the run's skill does not allow. Separate from the skills hook, whose phases are S0's, and inside
 * all other hooks, so that they have seen the call.
 */
export function narrowToolsHook(): Hook {
  return {
    name: "narrow-tools",
    async wrapToolCall(call, next, context) {
      const narrowing = narrowingOf(context);
      if (!narrowing || isAllowedCall(narrowing, call, context)) return next(call);
      const names = allowedNames(narrowing);
      const text = `The skill ${narrowing.skill} allows only ${names} in this run. Find another way, or tell the user.`;
      return refusedCall(call, "rule", text);
    },
  };
}

/** The entries of `allowed-tools`, as written. */
export function allowedNames({ allowed }: Narrowing): string {
  return allowed.map(allowedToolText).join(", ");
}

const NARROWING = "skills.narrowing";

export function setNarrowing(context: RunContext, narrowing: Narrowing | null): void {
  if (narrowing) context.values.set(NARROWING, narrowing);
  else context.values.delete(NARROWING);
}

export function narrowingOf(context: RunContext): Narrowing | null {
  return (context.values.get(NARROWING) as Narrowing | undefined) ?? null;
}

/** Whether the model is offered the tool, because at least some of its calls are allowed. */
export function isAllowedTool({ allowed, workdir }: Narrowing, tool: Tool, context: RunContext): boolean {
  const { aliases } = toolSubject(tool, workdir, context);
  return tool.name === READ_FILE || allowed.some((entry) => ruleNames(entry.tool, tool.name, aliases));
}

const READ_FILE = "read_file";

/** Whether the run's skill allows the call. */
export function isAllowedCall(narrowing: Narrowing, call: ToolCall, context: RunContext): boolean {
  const tool = context.findTool(call.name);
  // Unknown tools are reported elsewhere.
  if (!tool) return true;
  const { allowed, folder, workdir } = narrowing;
  const subject = toolSubject(tool, workdir, context);
  const asked = { tool: tool.name, args: call.args };
  if (tool.name === READ_FILE && ruleMatches({ tool: READ_FILE, args: { path: `${folder}/**` } }, asked, subject)) {
    return true;
  }
  return allowed.some(({ tool: name, pattern }) => {
    if (!ruleNames(name, tool.name, subject.aliases)) return false;
    if (pattern === null) return true;
    const { command } = call.args;
    if (typeof command === "string") return commandMatches(pattern, command);
    const { pathArgument } = subject;
    return pathArgument !== undefined && ruleMatches({ tool: name, args: { [pathArgument]: pattern } }, asked, subject);
  });
}
