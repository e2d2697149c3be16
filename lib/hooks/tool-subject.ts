import type { RunContext } from "@/lib/agent/run-context";
import type { Tool } from "@/lib/agent/tools/tool";
import type { PermissionSubject } from "@/lib/permissions/explain-permission";

/** A tool as permissions see it. `isTool` tells which names are tools; these win over aliases (docs/guide/tools.md). */
export function permissionSubject(tool: Tool, workdir: string, isTool: (name: string) => boolean): PermissionSubject {
  const { aliases = [], argumentAliases = {}, annotations, approval, pathArgument } = tool;
  return {
    aliases: aliases.filter((alias) => !isTool(alias)),
    argumentAliases,
    annotations,
    ...(approval === undefined ? {} : { approval }),
    ...(pathArgument === undefined ? {} : { pathArgument }),
    workdir,
  };
}

/** The same for a tool in a run. */
export function toolSubject(tool: Tool, workdir: string, context: RunContext): PermissionSubject {
  return permissionSubject(tool, workdir, (name) => context.findTool(name)?.name === name);
}
