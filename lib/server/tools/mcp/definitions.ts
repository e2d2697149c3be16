import { createHash } from "node:crypto";
import { canonicalArgs } from "@/lib/agent/interrupts";
import type { McpDefinition, McpOnCall } from "@/lib/schema/tools/mcp-server";
import { McpDefinition as Definition } from "@/lib/schema/tools/mcp-server";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";
import type { McpToolRow } from "./server-row";

/** The hash of what a model and a person read about a tool: tools with the same hash look the same to both. */
export function hashDefinition(definition: McpDefinition): string {
  const hash = createHash("sha256").update(canonicalArgs(definition)).digest("hex");
  return definition.unreadable === undefined ? hash : `${UNREADABLE}${hash}`;
}

/** Begins the hash of a definition that can't be read, so that its state is known without parsing it. */
const UNREADABLE = "unreadable:";

export function readDefinition(json: string): McpDefinition {
  return Definition.parse(JSON.parse(json));
}

/**
 * The server's hints in Ringmaster's terms. They are claims: a tool without hints may do anything (MCP's own defaults).
 */
export function annotationsOf({ annotations = {} }: McpDefinition): ToolAnnotations {
  const readOnly = annotations.readOnlyHint === true;
  return {
    readOnly,
    idempotent: readOnly || annotations.idempotentHint === true,
    destructive: !readOnly && annotations.destructiveHint !== false,
    openWorld: annotations.openWorldHint !== false,
  };
}

/** What happens when the tool is called, unless somebody chose otherwise: destructive and unannotated tools ask. */
export function defaultOnCall(definition: McpDefinition): McpOnCall {
  return annotationsOf(definition).destructive ? "ask" : "allow";
}

/**
 * `new` until accepted, `changed` if the server's definition has changed since, `unreadable` if it can't be read: none of
 * them is offered.
 */
export function stateOf({ hash, pinnedHash }: Pick<McpToolRow, "hash" | "pinnedHash">) {
  if (hash === null) return "gone";
  if (hash.startsWith(UNREADABLE)) return "unreadable";
  if (pinnedHash === null) return "new";
  return hash === pinnedHash ? "pinned" : "changed";
}

const MAX_NAME_CHARS = 64;

/** The tool's name for agents: `mcp__<server>__<tool>` in characters that every provider accepts, at most 64. */
export function offeredName(serverId: string, tool: string): string {
  const name = `mcp__${serverId}__${tool}`;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  if (plain === name && name.length <= MAX_NAME_CHARS) return name;
  const mark = createHash("sha256").update(tool).digest("hex").slice(0, 6);
  return `${plain.slice(0, MAX_NAME_CHARS - mark.length - 1)}_${mark}`;
}
