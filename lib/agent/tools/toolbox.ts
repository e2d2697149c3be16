import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolSchema } from "@/lib/schema/tools/tool";
import type { Tool } from "./tool";

/** The tools of one segment: the agent's, then those that hooks register, which take precedence (S1). */
export interface Toolbox {
  /** Adds the tool, replacing one with the same name. */
  register(tool: Tool): void;
  /** By name, otherwise by alias: a registered tool wins over an alias of the same name. */
  find(name: string): Tool | undefined;
  /** The call with the tool's own name and argument names instead of aliases. Calls to unknown tools are unchanged. */
  canonical(call: ToolCall): ToolCall;
  schemas(): readonly ToolSchema[];
}

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let schemas: readonly ToolSchema[] | null = null;

  const find = (name: string): Tool | undefined =>
    byName.get(name) ?? [...byName.values()].find((tool) => tool.aliases?.includes(name));

  return {
    find,
    register(tool) {
      byName.set(tool.name, tool);
      schemas = null;
    },
    canonical(call) {
      const tool = find(call.name);
      if (!tool) return call;
      return { ...call, name: tool.name, args: renameArguments(call.args, tool.argumentAliases ?? {}) };
    },
    schemas() {
      schemas ??= [...byName.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
      return schemas;
    },
  };
}

function renameArguments(
  args: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const renamed: Record<string, unknown> = { ...args };
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(renamed, alias)) continue;
    if (!Object.hasOwn(renamed, name)) renamed[name] = renamed[alias];
    delete renamed[alias];
  }
  return renamed;
}
