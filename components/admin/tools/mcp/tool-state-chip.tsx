import { StateChip } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import type { McpTool } from "@/lib/schema/tools/mcp-server";

/** Brass if it waits for a person. */
export function ToolStateChip({ state }: Pick<McpTool, "state">) {
  if (state === "changed") return <StateChip status="waiting" word="Changed" />;
  if (state === "new") return <StateChip status="waiting" word="New" />;
  if (state === "unreadable") return <StateChip status="failed" word="Unreadable" />;
  return <Tag>{state === "gone" ? "Gone" : "Pinned"}</Tag>;
}
