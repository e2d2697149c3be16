import "server-only";
import type { AgentConfig, ModelSpec } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import { subagentModel } from "@/lib/server/agents/version-of-run";
import { extensionTools } from "@/lib/server/extensions/extension-tools";
import { extensions } from "@/lib/server/extensions/extensions";
import { explainMissing } from "@/lib/server/extensions/registry";
import { backendStatus } from "@/lib/server/files/sandbox-probe";
import type { Services } from "@/lib/server/platform/services";
import { modelRegistry } from "@/lib/server/providers/models";
import { listHttpTools } from "@/lib/server/tools/http/list-http-tools";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { absentAgents } from "./absent-agents";
import { namedTools } from "./check-available";
import { warnOfIdleRules } from "./warn-permissions";
import { warnWithoutBackend } from "./warn-without-backend";

/**
 * The parts of a valid config that do not work on this server right now: providers that are not configured, tools that
 * are not registered, a missing sandbox, settings without effect. Saving succeeds; the reply and the editor show the
 * warnings. `coming`: the agents that an import is about to make.
 */
export async function findWarnings(
  services: Services,
  config: AgentConfig,
  coming: readonly string[] = [],
): Promise<FieldProblem[]> {
  return [
    ...modelWarnings(services, config),
    ...(await noContainers(config)),
    ...warnWithoutBackend(config),
    ...warnOfIdleRules(config),
    ...(await unknownTools(services, config)),
    ...(await absentAgents(services.database, config, coming)),
  ];
}

/** Without a Docker engine the agent has its files, as with bubblewrap, and no commands. */
async function noContainers({ backend }: AgentConfig): Promise<FieldProblem[]> {
  if (backend?.type !== "local" || backend.sandbox !== "docker") return [];
  const { available, reason } = await backendStatus(backend);
  if (available) return [];
  return [{ path: "backend", message: `Commands can't run in containers. ${reason ?? ""}`.trim() }];
}

function modelWarnings(
  services: Services,
  { model, fallback_models, subagents, on_missing_provider }: AgentConfig,
): FieldProblem[] {
  const named: readonly (readonly [path: string, spec: ModelSpec | null | undefined])[] = [
    ["model", model],
    ...fallback_models.map((spec, index) => [`fallback_models.${index}`, spec] as const),
    ...subagents.map((entry, index) => {
      const own = typeof entry === "string" ? undefined : entry.model;
      return [`subagents.${index}.model`, own && subagentModel(own, { model })] as const;
    }),
  ];
  return named.flatMap(([path, spec]) => {
    const message = spec ? modelRegistry(services).problemOf(spec, on_missing_provider) : null;
    return message === null ? [] : [{ path, message }];
  });
}

async function unknownTools(services: Services, config: AgentConfig): Promise<FieldProblem[]> {
  const names = [...builtinToolInfos(), ...extensionTools(), ...(await listHttpTools(services))].map(
    ({ name }) => name,
  );
  const unknown = namedTools(config).filter((name) => !name.includes("*") && !names.includes(name));
  return unknown
    .filter((name) => explainMissing(name, extensions()) === null)
    .map((name) => ({
      path: "tools",
      message: `There is no tool "${name}" yet. The agent goes without it until it is registered.`,
    }));
}
