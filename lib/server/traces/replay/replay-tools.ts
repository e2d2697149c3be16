import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { ReplayableTool, ReplayBody } from "@/lib/schema/traces/replay";
import { assembleAgent } from "@/lib/server/agents/assemble-agent";
import type { DescribeRunParts, NextRun } from "@/lib/server/agents/prompt/run-parts";
import { extensions } from "@/lib/server/extensions/extensions";
import { explainMissing } from "@/lib/server/extensions/registry";
import type { Services } from "@/lib/server/platform/services";
import { isRun, policyOf, sandboxOf } from "./tool-policy";

interface Agent {
  readonly next: Pick<NextRun, "agentId" | "ownerId">;
  readonly config: AgentConfig;
  /** The names that the model of the replay's first step is offered; null for those that the agent has now. */
  readonly offered: readonly string[] | null;
}

/** The tools that a replay offers, with what becomes of their calls. */
export async function replayableTools(
  services: Services,
  { next, config, offered }: Agent,
  describeRunParts: DescribeRunParts,
): Promise<ReplayableTool[]> {
  const [{ tools }, parts, inSandbox] = await Promise.all([
    assembleAgent(services, config),
    describeRunParts(services, { ...next, threadId: null }, config),
    sandboxOf(config),
  ]);
  const known = new Map([...tools, ...parts.tools].map((tool) => [tool.name, tool]));
  const names = offered ?? [...known.keys()];
  return names.map((name) => ({ name, inSandbox: inSandbox(name), readOnly: isReadOnly(known, name, inSandbox) }));
}

/** Null for a tool that the agent has not any more. */
function isReadOnly(
  known: ReadonlyMap<string, Tool>,
  name: string,
  inSandbox: (tool: string) => boolean,
): boolean | null {
  const tool = known.get(name);
  // Some are only offered where there is a file to look at, or a model that can see it.
  if (!tool) return inSandbox(name) ? true : null;
  return tool.annotations.readOnly ?? false;
}

type Asked = Pick<ReplayBody, "tools" | "confirmLive">;

/**
 * Throws `conflict` for tools that were to run and that the agent no longer has, and `invalid_input` unless
 * `confirmLive` names every tool that would run and does more than read.
 */
export function checkTools({ tools, confirmLive }: Asked, known: readonly ReplayableTool[]): void {
  const canSandbox = (name: string) => known.some((tool) => tool.name === name && tool.inSandbox);
  const outside = Object.entries(tools.per).find(
    ([name, policy]) => policy === "sandbox" && known.some((tool) => tool.name === name) && !canSandbox(name),
  );
  if (outside) {
    const [name] = outside;
    throw invalidField(`tools.per.${name}`, "can't run in the sandbox: choose recorded, ask or live");
  }
  const missing = known.filter(({ name, readOnly }) => readOnly === null && isRun(policyOf(tools, name, canSandbox)));
  if (missing.length > 0) throw new AppError("conflict", missing.map(({ name }) => missingText(name)).join(" "));
  const live = known.filter(({ name, readOnly }) => !readOnly && policyOf(tools, name, canSandbox) === "live");
  const unnamed = live.map(({ name }) => name).filter((name) => !confirmLive.includes(name));
  if (unnamed.length > 0) {
    throw invalidField("confirmLive", `must name the tools that would really run: ${unnamed.join(", ")}`);
  }
}

function missingText(name: string): string {
  const why = explainMissing(name, extensions()) ?? `${name} is no longer a tool of this agent.`;
  return `${why} Its calls can't run: set tools.per.${name} to recorded, or give the tool back to the agent.`;
}
