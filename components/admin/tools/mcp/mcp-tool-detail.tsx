"use client";
import { Button } from "@/components/ui/controls/button";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { shortHash } from "@/lib/client/tools/tool-labels";
import type { useMcpTools } from "@/lib/client/tools/use-mcp-tools";
import type { McpTool } from "@/lib/schema/tools/mcp-server";
import { DefinitionDiff } from "./definition-diff";
import { ToolStateChip } from "./tool-state-chip";

interface McpToolDetailProps {
  tool: McpTool;
  actions: ReturnType<typeof useMcpTools>;
  onKeepWithdrawn: () => void;
}

/** One tool: the server's current definition, the accepted one, and the decision. */
export function McpToolDetail({ tool, actions: { accept, setOnCall }, onKeepWithdrawn }: McpToolDetailProps) {
  const { name, title, description, schema, annotations, state, pinned, hash, pinnedHash, suspicious } = tool;
  const words = title === null ? {} : { title };
  const hints = annotations === null ? {} : { annotations };
  const shown = { ...words, description, schema, ...hints };
  const isWaiting = state === "new" || state === "changed";
  return (
    <aside
      aria-label={`About ${name}`}
      className="w-[388px] shrink-0 overflow-y-auto border-l border-border max-xl:w-80 max-lg:w-full max-lg:overflow-visible max-lg:border-b max-lg:border-l-0"
    >
      <header className="flex min-h-10 items-center gap-2 border-b border-separator px-4 py-1.5">
        <h2 className="min-w-0 truncate font-mono text-xs font-medium">{name}</h2>
        <ToolStateChip state={state} />
        <span className="ml-auto shrink-0 text-xs text-muted">
          {state === "pinned" ? "accepted " : "noticed "}
          <Time at={state === "pinned" ? (tool.pinnedAt ?? tool.noticedAt) : tool.noticedAt} />
        </span>
      </header>
      <div className="px-4 py-3">
        <p className="mb-4 text-sm text-muted">{explain(tool)}</p>
        <DefinitionDiff before={pinned} after={shown} />
        {suspicious === null ? null : (
          <p role="note" className="mt-3 flex gap-2 text-sm">
            <span className="flex h-5 shrink-0 items-center">
              <StateRing status="failed" />
            </span>
            <span className="min-w-0 break-words">
              <span className="text-fail-text">Reads like an instruction to the model.</span>{" "}
              <span className="text-muted">It says “{suspicious}”</span>
            </span>
          </p>
        )}
        <p className="mt-3 font-mono text-2xs text-muted">
          sha{" "}
          {[pinnedHash, hash]
            .filter((one, index, all) => one !== null && all.indexOf(one) === index)
            .map((one) => shortHash(one ?? ""))
            .join(" → ")}
        </p>
        {isWaiting ? (
          <div className="mt-3 flex flex-wrap gap-2">
            {suspicious === null ? null : (
              <Button variant="primary" onPress={onKeepWithdrawn}>
                Keep withdrawn
              </Button>
            )}
            <Button
              variant={suspicious === null ? "primary" : "outline"}
              isPending={accept.isPending}
              onPress={() => accept.mutate([tool])}
            >
              Accept this definition
            </Button>
            {suspicious === null ? <Button onPress={onKeepWithdrawn}>Keep withdrawn</Button> : null}
            <Button
              variant="danger-ghost"
              className="ml-auto"
              isDisabled={tool.onCall === "deny"}
              onPress={() => setOnCall.mutate({ name, onCall: "deny" })}
            >
              Deny
            </Button>
          </div>
        ) : null}
        {state === "gone" ? (
          <Button className="mt-3" isPending={accept.isPending} onPress={() => accept.mutate([tool])}>
            Forget it
          </Button>
        ) : null}
      </div>
    </aside>
  );
}

function explain({ state, offeredAs, onCall, pinnedByName, unreadable }: McpTool): string {
  const by = pinnedByName === null ? "" : ` ${pinnedByName} accepted it.`;
  switch (state) {
    case "changed":
      return "The server changed this tool. It is not offered to any agent until you accept. Runs that call it read that it is withdrawn until an administrator has looked.";
    case "new":
      return "The server has this tool, and it has not been accepted yet. It is offered to no agent.";
    case "unreadable":
      return `${unreadable ?? "The server's description of this tool can't be read."} It is offered to no agent.`;
    case "gone":
      return `The server no longer has this tool. What was accepted is kept, in case it returns.${by}`;
    case "pinned":
      return onCall === "deny"
        ? `Accepted and denied: no agent is offered it.${by}`
        : `Offered as ${offeredAs} to agents that name it.${by}`;
  }
}
