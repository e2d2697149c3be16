import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { LATER_TOOLS } from "../agents/check-available";

/** Names that a registered tool can't have: the built-in tools, and those of tools.md that are still to come. */
export function reservedToolNames(): readonly string[] {
  return [...builtinToolInfos().map(({ name }) => name), ...LATER_TOOLS];
}
