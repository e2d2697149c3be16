import "server-only";
import type { z } from "zod";
import type { DuplicateAgentBody, PatchHooksBody, RawConfig, SaveAgentBody } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { HookEntry } from "@/lib/schema/agents/agent-config-rules";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { isNotFound } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { mergeYaml } from "@/lib/text/yaml/merge-yaml";
import { hookNames, standardHookNames } from "./assemble-agent";
import { readConfigYaml, requireConfig } from "./config/read-config";
import { createDraftAgent } from "./drafts/new-agent";
import {
  type AuditOfVersion,
  type CurrentVersion,
  createAgent,
  getCurrentVersion,
  publishChange,
} from "./publish-version";
import { publishedSides } from "./published-sides";

/** A config as somebody sent it. */
interface SentConfig {
  readonly raw: RawConfig;
  readonly yaml?: string;
  readonly note?: string;
}

/** POST `/agents` and POST `/api/agents`. */
export async function addAgent(services: Services, agentId: string, sent: SentConfig, viewer: Viewer): Promise<void> {
  const audit = (version: number) => ({
    actorId: viewer.id,
    action: "agent.created",
    target: `agent:${agentId}`,
    after: { version, name: sent.raw.name ?? agentId },
  });
  await createAgent(services, { agentId, ...sent, createdById: viewer.id, audit });
}

/** Replaces each field present in `fields` as a whole and publishes (D-65). */
export async function patchAgent(
  services: Services,
  agentId: string,
  fields: RawConfig,
  viewer: Viewer,
): Promise<void> {
  await publishAudited(services, agentId, { change: ({ raw }) => ({ ...raw, ...fields }) }, viewer);
}

interface WholeConfig extends SentConfig {
  /** The version that it was made from. */
  readonly baseVersion?: number;
}

/**
 * Publishes `given` as the whole config; an object is merged into the current text. Throws `conflict` if `baseVersion`
 * is no longer the published one.
 */
export async function replaceConfig(
  services: Services,
  agentId: string,
  given: WholeConfig,
  viewer: Viewer,
): Promise<void> {
  const { raw, yaml, note, baseVersion } = given;
  const change = ({ number }: CurrentVersion) => {
    if (baseVersion !== undefined && baseVersion !== number) {
      throw new AppError("conflict", `Version ${number} was published in the meantime. Reload to see what changed.`);
    }
    return raw;
  };
  await publishAudited(services, agentId, { change, note, yaml }, viewer);
}

interface ConfigChange {
  readonly change: (current: CurrentVersion) => RawConfig;
  readonly note?: string;
  /** The text of the new config; default: the current one, edited. */
  readonly yaml?: string;
}

/** Publishes, and records in the audit log which fields changed, with their old and new values. */
async function publishAudited(
  services: Services,
  agentId: string,
  { change, ...by }: ConfigChange,
  viewer: Viewer,
): Promise<void> {
  const audit: AuditOfVersion = (number, before, raw) => ({
    actorId: viewer.id,
    action: "agent.published",
    target: `agent:${agentId}`,
    ...(before ? publishedSides(before, { number, raw }) : {}),
    details: { version: number },
  });
  await publishChange(services, agentId, change, { createdById: viewer.id, ...by, audit });
}

/** The config from a body that contains an object or YAML, with its YAML. */
export function configOf(
  services: Services,
  { config, yaml }: Pick<SaveAgentBody, "config" | "yaml">,
): Pick<SentConfig, "raw" | "yaml"> {
  if ((config === undefined) === (yaml === undefined)) {
    throw new AppError("invalid_input", "Send either config or yaml.");
  }
  if (config) return { raw: config };
  const read = readConfigYaml(services, yaml ?? "");
  requireConfig(read);
  return { raw: read.raw, yaml };
}

/** Hides the agent and refuses new runs; threads and traces stay readable. */
export async function deleteAgent(services: Services, agentId: string, viewer: Viewer): Promise<void> {
  await setArchived(services, viewer, agentId, true).catch((error: unknown) => {
    throw isNotFound(error) ? new AppError("not_found", `There is no agent "${agentId}".`) : error;
  });
}

/** Restores a deleted agent with its versions. */
export async function restoreAgent(services: Services, agentId: string, viewer: Viewer): Promise<void> {
  await setArchived(services, viewer, agentId, false).catch((error: unknown) => {
    throw isNotFound(error) ? new AppError("not_found", `There is no deleted agent "${agentId}".`) : error;
  });
}

/** A new agent with another agent's published config, for the same groups: published, or with `draft` as a draft. */
export async function duplicateAgent(
  services: Services,
  agentId: string,
  { id, name, draft }: z.infer<typeof DuplicateAgentBody>,
  viewer: Viewer,
): Promise<void> {
  const current = await getCurrentVersion(services.database, agentId);
  const raw = { ...current.raw, name: name ?? `${String(current.raw.name)} (copy)` };
  const { files } = current;
  const yaml = mergeYaml(current.yaml, raw);
  const groups = await services.database.groupAgent.findMany({ where: { agentId }, select: { groupId: true } });
  const groupIds = groups.map(({ groupId }) => groupId);
  if (draft) {
    await createDraftAgent(services, { agentId: id, raw, yaml, files, groupIds, copyOf: agentId }, viewer);
    return;
  }
  const audit = (version: number) => ({
    actorId: viewer.id,
    action: "agent.created",
    target: `agent:${id}`,
    after: { version, name: raw.name },
    details: { copyOf: agentId },
  });
  const by = { createdById: viewer.id, note: `Copy of ${agentId}`, audit };
  await createAgent(services, { agentId: id, raw, yaml, files, groupIds, isImported: true, ...by });
}

/** Changes the explicit hook order, which starts as the standard order. Throws `invalid_input` for an unknown hook. */
export async function patchHooks(
  services: Services,
  agentId: string,
  patch: PatchHooksBody,
  viewer: Viewer,
): Promise<void> {
  const known = hookNames();
  const { raw: current } = await getCurrentVersion(services.database, agentId);
  const removable = currentEntries(current).map(nameOf);
  const named = [
    ...(patch.add ?? []),
    ...(patch.remove ?? []).filter((name) => !removable.includes(name)),
    ...Object.keys(patch.config ?? {}),
  ];
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new AppError("invalid_input", `There is no hook "${unknown}". Known hooks: ${known.join(", ")}.`);
  }
  const change = ({ raw }: CurrentVersion) => ({ ...raw, hooks: applyPatch(currentEntries(raw), patch) });
  await publishAudited(services, agentId, { change, note: "Changed hooks" }, viewer);
}

function currentEntries(raw: RawConfig): HookEntry[] {
  return AgentConfig.parse(raw).hooks ?? standardHookNames();
}

function applyPatch(
  entries: readonly HookEntry[],
  { add = [], remove = [], config = {} }: PatchHooksBody,
): HookEntry[] {
  const kept = entries.filter((entry) => !remove.includes(nameOf(entry)));
  const added = add.filter((name) => !kept.some((entry) => nameOf(entry) === name));
  return [...kept, ...added].map((entry) => {
    const settings = config[nameOf(entry)];
    if (!settings) return entry;
    return { name: nameOf(entry), enabled: typeof entry === "string" || entry.enabled, config: settings };
  });
}

function nameOf(entry: HookEntry): string {
  return typeof entry === "string" ? entry : entry.name;
}

/** Throws the database's error if the agent is already in that state or does not exist. */
async function setArchived(services: Services, viewer: Viewer, agentId: string, archived: boolean): Promise<void> {
  const action = archived ? "agent.deleted" : "agent.restored";
  const sides = { before: { archived: !archived }, after: { archived } };
  await services.database.$transaction([
    services.database.agent.update({
      where: { id: agentId, deletedAt: archived ? null : { not: null } },
      data: { deletedAt: archived ? new Date() : null },
    }),
    auditQuery(services, { actorId: viewer.id, action, target: `agent:${agentId}`, ...sides }),
  ]);
}
