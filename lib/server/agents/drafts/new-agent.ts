import "server-only";
import { blankAgent } from "@/lib/schema/agents/agent-activity";
import type { CreateAgentBody, RawConfig } from "@/lib/schema/agents/agent-api";
import { agentIdFrom } from "@/lib/schema/agents/agent-id";
import type { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import { TOOL_SWITCHES, type ToolSwitch, withPurpose, withSwitch } from "@/lib/schema/tools/tool-switches";
import type { Viewer } from "@/lib/schema/users/user";
import {
  readConfigObject,
  readConfigYaml,
  requireConfig,
  writeConfigYaml,
} from "@/lib/server/agents/config/read-config";
import { TEMPLATE_TEXTS } from "@/lib/server/agents/templates/template-texts";
import { auditQuery } from "@/lib/server/audit/audit-log";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { mergeYaml } from "@/lib/text/yaml/merge-yaml";
import { unpublishedQueries } from "./unpublished";

/**
 * Creates an agent that only administrators see and only test threads run, until its draft is published. Returns its id:
 * the given one, or one from the name. Throws `invalid_input` for a config that would not run, and `conflict` for an id
 * in use, also by a deleted agent.
 */
export async function addDraftAgent(services: Services, body: CreateAgentBody, viewer: Viewer): Promise<string> {
  const { raw, yaml } = writtenDraft(services, body);
  const { name } = requireConfig(readConfigObject(services, raw));
  return createDraftAgent(
    services,
    { agentId: body.id ?? (await freeId(services.database, name)), raw, yaml, files: [] },
    viewer,
  );
}

interface NewDraftAgent {
  readonly agentId: string;
  readonly raw: RawConfig;
  readonly yaml: string;
  readonly files: readonly PromptFile[];
  /** The groups it is limited to once it is published. */
  readonly groupIds?: readonly string[];
  /** The agent it is a copy of. */
  readonly copyOf?: string;
}

/** Returns the id. Throws `conflict` if it is in use. */
export async function createDraftAgent(
  services: Services,
  { copyOf, groupIds = [], ...agent }: NewDraftAgent,
  { id: createdById }: Pick<Viewer, "id">,
): Promise<string> {
  const { agentId, raw } = agent;
  try {
    await services.database.$transaction([
      ...unpublishedQueries(services.database, { ...agent, createdById }),
      services.database.groupAgent.createMany({ data: groupIds.map((groupId) => ({ groupId, agentId })) }),
      auditQuery(services, {
        actorId: createdById,
        action: "agent.created",
        target: `agent:${agentId}`,
        after: { draft: true, name: raw.name },
        ...(copyOf === undefined ? {} : { details: { copyOf } }),
      }),
    ]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = `The id "${agentId}" is in use. Choose another one.`;
    throw new AppError("conflict", message, { details: [{ path: "id", message }] });
  }
  return agentId;
}

function writtenDraft(
  services: Services,
  { config, yaml, ...filled }: CreateAgentBody,
): {
  readonly raw: RawConfig;
  readonly yaml: string;
} {
  if (config && yaml !== undefined) throw new AppError("invalid_input", "Send either config or yaml.");
  if (config) return { raw: config, yaml: writeConfigYaml(config) };
  if (yaml !== undefined) return { raw: readConfigYaml(services, yaml).raw, yaml };
  const start = templateText(filled.template);
  const raw = fillTemplate(readConfigYaml(services, start).raw, filled);
  return { raw, yaml: mergeYaml(start, raw) };
}

function templateText(template: string | undefined): string {
  if (template === undefined) return blankAgent("New agent");
  const text = Object.hasOwn(TEMPLATE_TEXTS, template) ? TEMPLATE_TEXTS[template] : undefined;
  if (text !== undefined) return text;
  const message = `There is no template "${template}". Known ones: ${Object.keys(TEMPLATE_TEXTS).join(", ")}.`;
  throw new AppError("invalid_input", message, { details: [{ path: "template", message }] });
}

function fillTemplate(
  raw: RawConfig,
  { name, description, model, tools }: Pick<CreateAgentBody, "name" | "description" | "model" | "tools">,
): RawConfig {
  const named = { ...raw, ...(name === undefined ? {} : { name }), ...(model === undefined ? {} : { model }) };
  const described = description === undefined ? named : withPurpose(named, description);
  return tools === undefined ? described : withTools(described, tools);
}

/** Each switch on or off; other names are added to the list of tools. */
function withTools(raw: RawConfig, tools: readonly string[]): RawConfig {
  const isSwitch = (name: string) => TOOL_SWITCHES.some((known) => known === name);
  // Files first, since commands and memory bring them along.
  const switched = TOOL_SWITCHES.reduce((config: RawConfig, name: ToolSwitch) => {
    const isOn = tools.includes(name) || (name === "files" && tools.some((tool) => NEEDS_FILES.has(tool)));
    return withSwitch(config, name, isOn);
  }, raw);
  const others = tools.filter((name) => !isSwitch(name));
  if (others.length === 0) return switched;
  const listed = Array.isArray(switched.tools) ? switched.tools : [];
  return { ...switched, tools: [...new Set([...listed, ...others])] };
}

const NEEDS_FILES: ReadonlySet<string> = new Set(["execute", "memory"]);

const MAX_ID = 64;

/** An id from the name: `Invoice check` becomes `invoice-check`, or `invoice-check-2` if that is in use. */
async function freeId(database: Database, name: string): Promise<string> {
  const base = agentIdFrom(name);
  const known = await database.agent.findMany({ where: { id: { startsWith: base } }, select: { id: true } });
  const taken = new Set(known.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const id = `${base.slice(0, MAX_ID - suffix.length)}${suffix}`;
    if (!taken.has(id)) return id;
  }
}
