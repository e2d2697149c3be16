import "server-only";
import { createToolbox } from "@/lib/agent/tools/toolbox";
import { permissionSubject } from "@/lib/hooks/tool-subject";
import { explainPermission } from "@/lib/permissions/explain-permission";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { FieldProblem } from "@/lib/schema/app-error";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { invalidDecision } from "@/lib/server/engine/asks/check-decision";
import type { ArgumentEdit } from "@/lib/server/engine/asks/decide";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Services } from "@/lib/server/platform/services";
import { assembleAgent } from "./assemble-agent";
import { versionOfRun } from "./version-of-run";

/**
 * The edited arguments as the tool accepts them: aliases resolved, valid by the tool's schema, and not denied by a
 * rule. Throws `invalid_input`.
 */
export async function canonicalEdit(
  services: Services,
  run: ClaimedRun,
  version: AgentVersion,
  { at, ...call }: ArgumentEdit,
): Promise<Record<string, unknown>> {
  const { config } = versionOfRun(run, version);
  const { tools } = await assembleAgent(services, config);
  const toolbox = createToolbox(tools);
  const tool = toolbox.find(call.tool);
  if (!tool) throw invalidDecision(at, { path: "args", message: `The agent has no tool ${call.tool} any more.` });
  const { args } = toolbox.canonical({ id: "edited", name: tool.name, args: call.args, rawArgs: "" });
  const parsed = tool.parse(args);
  if (!parsed.ok) throw invalidDecision(at, fieldProblem(parsed.message));
  const subject = permissionSubject(tool, config.backend?.workdir ?? "/workspace", (name) =>
    tools.some((other) => other.name === name),
  );
  const found = explainPermission({ tool: tool.name, args }, subject, permissionSettings(config));
  if (found.verdict === "deny") throw invalidDecision(at, { path: "args", message: found.explanation });
  return args;
}

/** A tool reports problems as "field: problem", several joined together; the error names the first field. */
function fieldProblem(message: string): FieldProblem {
  const field = /^([\w.]+): /.exec(message)?.[1];
  return { path: field === undefined ? "args" : `args.${field}`, message };
}
