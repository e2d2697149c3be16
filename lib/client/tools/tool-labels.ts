import type { McpTool } from "@/lib/schema/tools/mcp-server";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";

/** A tool's annotations, in two or three words. */
export function annotationText({ readOnly, destructive, openWorld }: ToolAnnotations): string {
  const does = readOnly ? "reads" : destructive ? "destructive" : "writes";
  return openWorld ? `${does}, open world` : does;
}

/** The same for a server's tool, which may have none. */
export function claimText({ annotations, means }: Pick<McpTool, "annotations" | "means">): string {
  const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
  const isSilent = annotations === null || !hints.some((hint) => hint in annotations);
  return isSilent ? "not annotated" : annotationText(means);
}

/** `4be0…91c7` */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 4)}…${hash.slice(-4)}`;
}
