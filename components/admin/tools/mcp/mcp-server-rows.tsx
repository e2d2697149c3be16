import type { ReactNode } from "react";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { classNames } from "@/lib/client/ui/class-names";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { McpServer } from "@/lib/schema/tools/mcp-server";

interface McpServerRowsProps {
  servers: readonly McpServer[];
  selectedId: string;
  onSelect: (id: string) => void;
  action: ReactNode;
}

/** The servers with the number of tools awaiting review; a row of chips if there is little room. */
export function McpServerRows({ servers, selectedId, onSelect, action }: McpServerRowsProps) {
  return (
    <nav
      aria-label="MCP servers"
      className="flex w-[216px] shrink-0 flex-col border-r border-border bg-background max-lg:w-full max-lg:flex-row max-lg:items-center max-lg:overflow-x-auto max-lg:border-r-0 max-lg:border-b"
    >
      <ul className="min-h-0 flex-1 overflow-y-auto p-2 max-lg:flex max-lg:gap-1 max-lg:overflow-visible">
        {servers.map((server) => (
          <li key={server.id} className="max-lg:shrink-0">
            <button
              type="button"
              aria-current={server.id === selectedId ? "true" : undefined}
              onClick={() => onSelect(server.id)}
              className={classNames(
                "flex w-full gap-2 rounded-md px-2 py-1.5 text-left hover:bg-default",
                server.id === selectedId && "bg-surface-tertiary",
              )}
            >
              <span className="flex h-5 shrink-0 items-center">
                <StateRing status={ringOf(server)} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 truncate font-mono text-xs font-medium">{server.id}</span>
                  <span className="tnum shrink-0 text-xs text-muted">
                    {server.tools.known} {server.tools.known === 1 ? "tool" : "tools"}
                  </span>
                </span>
                <span className="block text-xs">
                  <ServerState server={server} />
                </span>
                <span className="block truncate text-xs text-muted max-lg:hidden">{transportText(server)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className="p-2">{action}</div>
      <p className="border-t border-separator px-3 py-1.5 text-xs text-muted max-lg:hidden">
        While it is down, calls fail and runs continue
      </p>
    </nav>
  );
}

/** A server's state, mapped to what a person has to do about it. */
function ringOf({ state, tools }: McpServer): RunStatus {
  if (state === "away") return "failed";
  if (state === "off") return "cancelled";
  if (tools.waiting > 0) return "waiting";
  return state === "connected" ? "completed" : "queued";
}

function ServerState({ server: { state, tools, awaySince } }: { server: McpServer }) {
  if (state === "away" && awaySince !== null) {
    return (
      <span className="text-fail-text">
        Away, noticed <Time at={awaySince} isInSentence />
      </span>
    );
  }
  if (state === "off") return <span className="text-muted">Switched off</span>;
  if (tools.waiting > 0) return <span className="text-signal-text">{tools.waiting} to look at</span>;
  return <span className="text-muted">{state === "connected" ? "Connected" : "Not asked yet"}</span>;
}

function transportText({ transport, unsandboxed, auth, scope }: McpServer): string {
  if (auth === "oauth") return `${transport}, OAuth ${scope === "per_user" ? "per person" : "shared"}`;
  if (transport !== "stdio") return transport;
  return unsandboxed ? "stdio, NOT sandboxed" : "stdio, sandboxed";
}
