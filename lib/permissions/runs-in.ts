import type { Tool } from "@/lib/agent/tools/tool";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";

/** The owner of the calls and what they can reach. */
export interface CallPlace {
  readonly agentName: string;
  readonly backend: BackendConfig | null;
  readonly workspace: Pick<Workspace, "isSandboxed"> | null;
}

const WHOSE: Record<BackendConfig["scope"], string> = {
  user: "your workspace with",
  agent: "the workspace that everybody shares with",
  thread: "this thread's workspace with",
  project: "the files of the project, for",
};

type PlacedTool = Pick<Tool, "kind" | "pathArgument" | "annotations" | "place">;

/** Where a call would run, as shown to the person asked to approve it. Pure. */
export function runsIn({ kind, pathArgument, annotations, place: own }: PlacedTool, place: CallPlace): string {
  const { agentName, backend } = place;
  if (own !== undefined) return `${own}, outside Ringmaster`;
  if (backend && kind === "command") return commandPlace(backend, place.workspace?.isSandboxed ?? false);
  if (backend && pathArgument !== undefined) return `${WHOSE[backend.scope]} ${agentName}`;
  if (kind === "memory") return `the memory of ${agentName}`;
  if (kind === "agent") return `a subagent of ${agentName}`;
  return annotations.openWorld ? "another server, outside Ringmaster" : `this server, for ${agentName}`;
}

/** Whether a call can carry its arguments to another server. Pure. */
export function reachesOut(
  { kind, annotations }: PlacedTool,
  place: Pick<CallPlace, "backend" | "workspace"> | undefined,
): boolean {
  if (!annotations.openWorld) return false;
  if (kind !== "command" || !place?.backend) return true;
  return hasNetwork(place.backend, place.workspace?.isSandboxed ?? false);
}

function hasNetwork({ network }: BackendConfig, isSandboxed: boolean): boolean {
  return !isSandboxed || network;
}

function commandPlace(backend: BackendConfig, isSandboxed: boolean): string {
  const { workdir, timeout_ms: timeoutMs } = backend;
  const fence = isSandboxed ? "sandboxed" : "without a sandbox";
  return `${workdir}, ${fence}, ${hasNetwork(backend, isSandboxed) ? "with network" : "no network"}, ${limit(timeoutMs)} at most`;
}

function limit(timeoutMs: number): string {
  return timeoutMs < 1_000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 1_000)} s`;
}
