import type { Tool } from "@/lib/agent/tools/tool";
import { extensions } from "./extensions";

/** The tools of the extensions, each with its extension's version. */
export function extensionTools(): Tool[] {
  return [...extensions().tools.values()].map(({ definition, file, hash }) => ({
    ...definition.tool,
    extension: { file, hash },
  }));
}
