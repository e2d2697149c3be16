import "server-only";
import { createToolbox } from "@/lib/agent/tools/toolbox";
import { addressSubject, callSubject, permissionSubject } from "@/lib/hooks/tool-subject";
import { explainPermission, isOffered } from "@/lib/permissions/explain-permission";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { PermissionTestBody, PermissionTestReply } from "@/lib/schema/agents/permission";
import { AppError } from "@/lib/schema/app-error";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { inForce } from "@/lib/server/engine/asks/load-interrupts";
import { textsOfPeople } from "@/lib/server/engine/asks/load-known-addresses";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { assembleAgent } from "./assemble-agent";
import { readConfigYaml, requireConfig } from "./config/read-config";

/**
 * What the agent's permissions would decide about a call, by the same function as in a run: those of its published
 * version, or of a draft given as YAML. If one of the viewer's threads is given, its grants count. Throws `not_found`
 * if the agent or tool does not exist, `invalid_input` for a draft that is not a valid config.
 */
export async function testPermission(
  services: Services,
  agentId: string,
  ownerId: string,
  { tool: name, args, threadId, yaml }: PermissionTestBody,
): Promise<PermissionTestReply> {
  const published = await loadCurrentVersion(services.database, agentId, EVERY_AGENT);
  const config = yaml === undefined ? published.config : requireConfig(readConfigYaml(services, yaml));
  const { tools } = await assembleAgent(services, config);
  const toolbox = createToolbox(tools);
  const tool = toolbox.find(name);
  if (!tool) throw new AppError("not_found", `This agent has no tool ${JSON.stringify(name)}.`);
  const call = toolbox.canonical({ id: "tested", name, args, rawArgs: "" });
  const ofTool = permissionSubject(tool, config.backend?.workdir ?? "/workspace", (other) =>
    tools.some((known) => known.name === other),
  );
  const subject = await addressSubject(callSubject(ofTool, tool, call.args), tool, call.args, {
    place: { backend: config.backend, workspace: { isSandboxed: true } },
    hosts: config.web.fetch.hosts,
    known: async () => ({
      texts: [config.system_prompt, ...(await textsOf(services.database, threadId, ownerId))],
      found: [],
      allowedTools: [],
    }),
  });
  const grants = threadId === undefined ? [] : inForce(await grantsOf(services.database, threadId, ownerId), config);
  const permissions = permissionSettings(config);
  const found = explainPermission({ tool: tool.name, args: call.args }, subject, permissions, grants);
  return { ...found, tool: tool.name, args: call.args, offered: isOffered(tool.name, subject, permissions, grants) };
}

/** What people wrote in the thread, if it is the viewer's. */
async function textsOf(database: Database, threadId: string | undefined, ownerId: string): Promise<string[]> {
  if (threadId === undefined) return [];
  const thread = await database.thread.findFirst({ where: { id: threadId, ownerId }, select: { id: true } });
  return thread === null ? [] : textsOfPeople(database, thread.id);
}

async function grantsOf(database: Database, threadId: string, ownerId: string) {
  return database.grant.findMany({
    where: { threadId, ownerId, revokedAt: null, expiresAt: { gt: new Date() } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, tool: true, args: true, pattern: true, rulesHash: true },
  });
}
