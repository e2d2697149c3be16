"use client";
import { Button } from "@/components/ui/controls/button";
import { isObject } from "@/lib/client/agents/config-text/config-values";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { asksFirst, isSwitchedOn, type ToolSwitch } from "@/lib/schema/tools/tool-switches";

export interface RunAgainProps {
  config: RawConfig;
  /** The draft, in words. */
  runs: string;
  isPending: boolean;
  onRun: () => void;
  onCancel: () => void;
}

/** Before an earlier run's message goes to the draft: what that will do. */
export function RunAgain({ config, runs, isPending, onRun, onCancel }: RunAgainProps) {
  return (
    <section aria-labelledby="run-again" className="flex flex-1 flex-col justify-end gap-3 p-4 text-sm">
      <h3 id="run-again" className="font-medium">
        Run again with {runs}?
      </h3>
      <p className="text-muted">The message of the earlier run is sent again, and its tools are live.</p>
      <ul aria-label="What will be live" className="list-disc space-y-1 pl-5 text-muted">
        {liveTools(config).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Button variant="primary" isPending={isPending} onPress={onRun} autoFocus>
          Run
        </Button>
        <Button onPress={onCancel}>Cancel</Button>
      </div>
    </section>
  );
}

const LIVE: readonly (readonly [ToolSwitch, string])[] = [
  ["files", "Files are changed in a copy of its own."],
  ["execute", "Commands run in the sandbox"],
  ["web_fetch", "Pages are fetched"],
  ["web_search", "Searches are sent"],
  ["schedule", "Schedules are made for you"],
  ["delegate", "Work is handed to other agents"],
];

function liveTools(config: RawConfig): string[] {
  const lines = LIVE.flatMap(([name, words]) => {
    if (!isSwitchedOn(config, name)) return [];
    if (name === "files") return [words];
    return [asksFirst(config, name) ? `${words}, after you allow each call.` : `${words}.`];
  });
  const servers = Array.isArray(config.mcp_servers) ? config.mcp_servers.map(String) : [];
  const ofServers = servers.length === 0 ? [] : [`MCP servers are called: ${servers.join(", ")}.`];
  const tools = isObject(config.tools) ? config.tools.allow : config.tools;
  const known = new Set<string>([...LIVE.map(([name]) => name), "calculate", "current_datetime", "ask_user"]);
  const others = (Array.isArray(tools) ? tools.map(String) : []).filter((name) => !known.has(name));
  const ofOthers = others.length === 0 ? [] : [`Other tools are called: ${others.join(", ")}.`];
  const all = [...lines, ...ofServers, ...ofOthers];
  return all.length === 0 ? ["It has no tools that reach anything outside the thread."] : all;
}
