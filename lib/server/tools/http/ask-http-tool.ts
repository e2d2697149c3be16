import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { toolFilter } from "@/lib/server/tools/agent-tools";
import { type CallPlace, whyNotCall, whyNotUnattended } from "@/lib/server/tools/unattended-call";
import { type CallOrigin, callHttpTool } from "./http-tool";
import { listHttpTools } from "./list-http-tools";
import { definitionOf } from "./stored-http-tool";

interface Asked {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The agent that has the tool: its list of tools and its rules decide. */
  readonly config: AgentConfig;
}

/** Why an agent's HTTP tool can't be called without a model; null if it can. Its hooks are asked at each call. */
export async function httpToolProblem(services: Services, asked: Asked): Promise<string | null> {
  const found = await findTool(services, asked);
  return typeof found === "string" ? found : whyNotUnattended({ tool: found, args: asked.args }, asked.config);
}

async function findTool(services: Services, { name, args, config }: Asked): Promise<Tool | string> {
  if (!toolFilter(config.tools)(name)) return `the agent has no tool ${JSON.stringify(name)}`;
  const [tool] = await listHttpTools(services, [name]);
  if (tool === undefined) return `there is no HTTP tool ${JSON.stringify(name)}`;
  if (!tool.annotations.readOnly) return "only an HTTP tool that is marked as reading may be asked without approval";
  const parsed = tool.parse({ ...args });
  return parsed.ok ? tool : parsed.message;
}

/**
 * One call of an agent's HTTP tool by the server itself; returns its text. Throws an Error with the reason if there is
 * none.
 */
export async function askHttpTool(
  services: Services,
  asked: Asked,
  origin: CallOrigin & Pick<CallPlace, "agentId" | "userId">,
): Promise<string> {
  const found = await findTool(services, asked);
  const problem =
    typeof found === "string" ? found : await whyNotCall({ tool: found, args: asked.args }, asked.config, origin);
  if (problem !== null) throw new Error(problem);
  const { name, args } = asked;
  const row = await services.database.httpTool.findUniqueOrThrow({ where: { name } });
  const rules = { allowedPrivateHosts: env().allowedPrivateHosts };
  const result = await callHttpTool(definitionOf(row), { args, rules, origin });
  return typeof result === "string" ? result : result.output;
}
