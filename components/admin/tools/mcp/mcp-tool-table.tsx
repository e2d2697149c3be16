"use client";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { EmptyState } from "@/components/ui/states/state-block";
import { Count } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { claimText } from "@/lib/client/tools/tool-labels";
import type { useMcpTools } from "@/lib/client/tools/use-mcp-tools";
import { useListKeys } from "@/lib/client/trace/use-list-keys";
import { classNames } from "@/lib/client/ui/class-names";
import type { McpOnCall, McpServer, McpTool } from "@/lib/schema/tools/mcp-server";
import { OnCallControl } from "./on-call-control";
import { ToolStateChip } from "./tool-state-chip";

interface McpToolTableProps {
  server: McpServer;
  tools: readonly McpTool[];
  selected: McpTool | null;
  actions: ReturnType<typeof useMcpTools>;
  onSelect: (name: string) => void;
}

const ON_CALL_KEYS: Readonly<Record<string, McpOnCall>> = { a: "allow", s: "ask", d: "deny" };

/** Tools awaiting a person on top; `a`, `s` and `d` decide on the selected one. */
export function McpToolTable({ server, tools, selected, actions, onSelect }: McpToolTableProps) {
  const list = useRef<HTMLDivElement>(null);
  const { accept, setOnCall } = actions;
  const waiting = tools.filter(({ state }) => state === "new" || state === "changed");
  const unreadable = tools.filter(({ state }) => state === "unreadable");
  const rest = tools.filter((tool) => !waiting.includes(tool) && !unreadable.includes(tool));
  const onKey = useListKeys(list, (key) => {
    const onCall = ON_CALL_KEYS[key];
    if (onCall && selected) {
      setOnCall.mutate({ name: selected.name, onCall });
      return true;
    }
    const step = key === "ArrowDown" || key === "j" ? 1 : key === "ArrowUp" || key === "k" ? -1 : 0;
    const next = tools[tools.findIndex(({ name }) => name === selected?.name) + step];
    if (step === 0 || !next) return false;
    onSelect(next.name);
    return true;
  });
  const { known, offered } = server.tools;
  return (
    <section aria-label={`Tools of ${server.id}`} className="flex min-w-0 flex-1 flex-col">
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 border-b border-separator px-4 py-1 text-sm">
        <h2 className="font-medium">Tools</h2>
        <span className="text-muted">
          {known} known, {offered} offered as <span className="font-mono text-xs">mcp__{server.id}__*</span>
        </span>
        <span className="ml-auto text-muted">{serverText(server)}</span>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are a second way to what its buttons and radios do. */}
      <div
        ref={list}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (!(event.target instanceof HTMLInputElement)) onKey(event);
        }}
        className="min-h-0 flex-1 overflow-y-auto outline-none max-lg:overflow-visible"
      >
        {tools.length === 0 ? (
          <EmptyState title="No tools" className="h-auto! py-16">
            {server.connection !== null && server.connection.state !== "connected"
              ? "Connect to the server above: its tools are read with your connection."
              : server.state === "away"
                ? "The server has never answered. Check its address, then ask again."
                : "The server offers no tools."}
          </EmptyState>
        ) : null}
        {waiting.length === 0 ? null : (
          <Group
            title={
              <>
                Waiting for you <Count signal>{waiting.length}</Count> not offered
              </>
            }
            action={
              waiting.length > 1 && waiting.every(({ suspicious }) => suspicious === null) ? (
                <Button variant="ghost" isPending={accept.isPending} onPress={() => accept.mutate(waiting)}>
                  Accept all {waiting.length}
                </Button>
              ) : null
            }
          >
            {waiting.map((tool) => (
              <Row key={tool.name} tool={tool} isSelected={tool === selected} actions={actions} onSelect={onSelect} />
            ))}
          </Group>
        )}
        {unreadable.length === 0 ? null : (
          <Group title={`Can't be read ${unreadable.length}`}>
            {unreadable.map((tool) => (
              <Row key={tool.name} tool={tool} isSelected={tool === selected} actions={actions} onSelect={onSelect} />
            ))}
          </Group>
        )}
        {rest.length === 0 ? null : (
          <Group title={`Pinned ${rest.length}`}>
            {rest.map((tool) => (
              <Row key={tool.name} tool={tool} isSelected={tool === selected} actions={actions} onSelect={onSelect} />
            ))}
          </Group>
        )}
      </div>
      <footer className="flex min-h-8 flex-wrap items-center gap-x-3 border-t border-separator bg-background px-4 text-xs text-muted">
        Destructive tools and tools without annotations ask, unless you choose otherwise.
        <span className="ml-auto flex items-center gap-1.5 max-md:hidden">
          <Kbd>a</Kbd> allow <Kbd>s</Kbd> ask <Kbd>d</Kbd> deny
        </span>
      </footer>
    </section>
  );
}

function serverText({ facts }: McpServer): string {
  if (facts === null) return "";
  const { prompts, resources } = facts;
  const counted = [
    [prompts, "prompt"],
    [resources, "resource"],
  ] as const;
  return counted
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`)
    .join(", ");
}

function Group({ title, action, children }: { title: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h3 className="flex h-9 items-center gap-1.5 border-b border-separator px-4 text-xs text-muted">
        {title}
        <span className="ml-auto">{action}</span>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  tool: McpTool;
  isSelected: boolean;
  actions: McpToolTableProps["actions"];
  onSelect: (name: string) => void;
}

function Row({ tool, isSelected, actions, onSelect }: RowProps) {
  const { name, state, pinnedAt, onCall } = tool;
  const isWaiting = state === "new" || state === "changed";
  return (
    <li
      className={classNames(
        "relative flex min-h-[34px] items-center gap-3 border-b border-separator pr-4 pl-4 hover:bg-surface-secondary max-sm:flex-wrap max-sm:py-1.5",
        isSelected && "bg-selection",
        isWaiting && "shadow-[inset_2px_0_0_var(--signal)]",
      )}
    >
      <button
        type="button"
        aria-current={isSelected ? "true" : undefined}
        onClick={() => onSelect(name)}
        className="min-w-0 flex-1 truncate text-left font-mono text-xs touch-row after:absolute after:inset-0"
      >
        {name}
      </button>
      <span className="w-36 shrink-0 truncate text-xs text-muted max-md:hidden">{claimText(tool)}</span>
      <span className="w-28 shrink-0 text-xs text-muted max-sm:w-auto">
        {state === "pinned" && pinnedAt !== null ? (
          <>
            accepted <Time at={pinnedAt} />
          </>
        ) : (
          <ToolStateChip state={state} />
        )}
      </span>
      <span className="relative z-1">
        <OnCallControl
          tool={name}
          value={onCall}
          onChange={(chosen) => actions.setOnCall.mutate({ name, onCall: chosen })}
        />
      </span>
    </li>
  );
}
