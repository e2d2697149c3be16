import type { RunContext } from "@/lib/agent/run-context";
import type { Tool } from "@/lib/agent/tools/tool";
import type { PermissionSubject } from "@/lib/permissions/explain-permission";
import { hasAddress, type KnownAddresses, unknownAddress } from "@/lib/permissions/known-addresses";
import { type CallPlace, reachesOut } from "@/lib/permissions/runs-in";
import type { ToolCall } from "@/lib/schema/messages/message";
import { READ_FILE } from "@/lib/tools/files/file-tool-names";

/** A tool as permissions see it. `isTool` tells which names are tools; these win over aliases (docs/guide/tools.md). */
export function permissionSubject(tool: Tool, workdir: string, isTool: (name: string) => boolean): PermissionSubject {
  const { aliases = [], argumentAliases = {}, annotations, approval, pathArgument, readsFiles } = tool;
  return {
    aliases: aliases.filter((alias) => !isTool(alias)),
    argumentAliases,
    annotations,
    ...(approval === undefined ? {} : { approval }),
    ...(pathArgument === undefined ? {} : { pathArgument }),
    ...(readsFiles ? { readsLike: READ_FILE } : {}),
    workdir,
  };
}

/** The same for a tool in a run. */
export function toolSubject(tool: Tool, workdir: string, context: RunContext): PermissionSubject {
  return permissionSubject(tool, workdir, (name) => context.findTool(name)?.name === name);
}

/** The same for one call, for tools that ask for some calls only. */
export function callSubject(subject: PermissionSubject, tool: Tool, args: ToolCall["args"]): PermissionSubject {
  const approval = tool.approvalOf?.(args);
  const asksBecause = tool.asksBecause?.(args);
  return {
    ...subject,
    ...(approval === undefined ? {} : { approval }),
    ...(asksBecause === undefined ? {} : { asksBecause }),
  };
}

/** The facts of the agent and the conversation about the addresses in a call. */
export interface AddressContext {
  readonly place?: Pick<CallPlace, "backend" | "workspace"> | undefined;
  /** The agent's `web.fetch.hosts`. */
  readonly hosts: readonly string[];
  /** Loaded only for a call with an address or to a service. */
  known(): Promise<KnownAddresses>;
}

/** The same with the first unknown address or service, if the call can send something outside. */
export async function addressSubject(
  subject: PermissionSubject,
  tool: Tool,
  args: ToolCall["args"],
  { place, hosts, known }: AddressContext,
): Promise<PermissionSubject> {
  const { sendsTo } = tool;
  if (sendsTo !== undefined) {
    const { allowedTools } = await known();
    return allowedTools.includes(tool.name) ? subject : { ...subject, unknownService: sendsTo };
  }
  if (!reachesOut(tool, place) || !hasAddress(args)) return subject;
  const unknown = unknownAddress(args, await known(), hosts);
  return unknown === null ? subject : { ...subject, unknownAddress: unknown };
}
