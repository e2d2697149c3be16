import "server-only";
import type { AgentTemplate } from "@/lib/schema/agents/agent-activity";
import { findWarnings } from "@/lib/server/agents/config/find-warnings";
import { readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { backendStatus } from "@/lib/server/files/sandbox-probe";
import type { Services } from "@/lib/server/platform/services";
import { TEMPLATE_TEXTS } from "./template-texts";

/** The built-in templates, each with warnings about parts that do not work on this server. */
export function listTemplates(services: Services): Promise<AgentTemplate[]> {
  return Promise.all(Object.entries(TEMPLATE_TEXTS).map(([id, yaml]) => describe(services, id, yaml)));
}

async function describe(services: Services, id: string, yaml: string): Promise<AgentTemplate> {
  const config = requireConfig(readConfigYaml(services, yaml));
  const { name, description, backend } = config;
  const probe = backend?.type === "local" ? await backendStatus(backend) : null;
  const noCommands =
    probe && !probe.available
      ? [{ path: "backend", message: `Commands can't run here: ${probe.reason ?? "there is no sandbox"}.` }]
      : [];
  return { id, name, description, yaml, warnings: [...noCommands, ...(await findWarnings(services, config))] };
}
