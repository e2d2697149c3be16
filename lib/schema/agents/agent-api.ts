import { z } from "zod";
import { storedText } from "@/lib/schema/plain-text";
import { AgentConfig, ModelSpec } from "./agent-config";
import { AgentId } from "./agent-id";
import { AgentInfo, HookInfo } from "./agent-info";

export const AgentNote = storedText(500);

/** The YAML of a config, byte for byte. */
export const ConfigText = z
  .string()
  .max(1_000_000)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "must not contain NUL or half characters");

/** A config as it arrives: checked against AgentConfig after merging, so that problems refer to the whole config. */
export const RawConfig = z.record(z.string(), z.unknown());
export type RawConfig = z.infer<typeof RawConfig>;

/** Body of POST `/agents`, for its documentation. */
export const CreateAgentDocument = AgentConfig.extend({ agent_id: AgentId });

/** POST `/api/agents` and the editor: the config as an object or as YAML text. */
export const SaveAgentBody = z.strictObject({
  id: AgentId.optional(),
  config: RawConfig.optional(),
  yaml: ConfigText.optional(),
  note: AgentNote.optional(),
  /**
   * The version the editor started from; if another has been published since, the reply is 409, so no change is lost.
   */
  baseVersion: z.number().int().optional(),
});
export type SaveAgentBody = z.infer<typeof SaveAgentBody>;

/**
 * POST `/api/agents`: publishes the first version of the agent `id`. With `draft` nothing is published: the config, the
 * YAML or the filled-in template becomes the draft of an agent that only administrators see, and the id may come from
 * the name. `tools` are switches (`TOOL_SWITCHES`) or names of tools, in place of those of the template.
 */
export const CreateAgentBody = SaveAgentBody.omit({ baseVersion: true })
  .extend({
    draft: z.boolean().optional(),
    template: z.string().min(1).max(64).optional(),
    name: AgentConfig.shape.name.optional(),
    description: z.string().max(2_000).optional(),
    model: ModelSpec.optional(),
    tools: z.array(z.string().min(1)).max(500).optional(),
  })
  .superRefine(({ draft, id, config, yaml, note: _, ...filled }, context) => {
    const complain = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (draft !== true) {
      if (id === undefined) complain("id", "is required, unless draft is true.");
      for (const field of fieldsGiven(filled)) complain(field, "only fills in a draft. Send draft: true as well.");
      return;
    }
    const isWritten = config !== undefined || yaml !== undefined;
    if (!isWritten && filled.name === undefined) complain("name", "is required for a draft.");
    if (isWritten) for (const field of fieldsGiven(filled)) complain(field, "is part of the config that was sent.");
  });
export type CreateAgentBody = z.infer<typeof CreateAgentBody>;

function fieldsGiven(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

export const ValidateAgentBody = z.strictObject({
  config: RawConfig.optional(),
  yaml: z.string().max(1_000_000).optional(),
});

/** A problem in a config; `line` and `column` count from 1 and are present if it came as YAML. */
export const ConfigProblem = z.object({
  path: z.string(),
  message: z.string(),
  severity: z.enum(["error", "warning"]),
  line: z.number().optional(),
  column: z.number().optional(),
});
export type ConfigProblem = z.infer<typeof ConfigProblem>;

export const ValidateAgentReply = z.object({ valid: z.boolean(), problems: z.array(ConfigProblem) });

/** A published version; `config` is as it was submitted, without defaults. */
export const AgentVersionSummary = z.object({
  number: z.number(),
  aliases: z.array(z.string()),
  note: z.string().nullable(),
  createdAt: z.string(),
  createdByName: z.string().nullable(),
  current: z.boolean(),
});
export type AgentVersionSummary = z.infer<typeof AgentVersionSummary>;
export const AgentVersionList = z.object({ versions: z.array(AgentVersionSummary) });
export const AgentVersionDetail = AgentVersionSummary.extend({ config: RawConfig, yaml: z.string() });
export type AgentVersionDetail = z.infer<typeof AgentVersionDetail>;

/** GET `/api/agents/{id}`. `config` and `yaml` are null for everybody but admins. */
export const AgentDetail = AgentInfo.extend({
  updatedAt: z.string(),
  config: RawConfig.nullable(),
  yaml: z.string().nullable(),
});
export type AgentDetail = z.infer<typeof AgentDetail>;
export const AgentDetailList = z.object({
  agents: z.array(AgentInfo.extend({ updatedAt: z.string() })),
  /** For admins: agents of which no version is published yet, the latest change first. */
  drafts: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        updatedAt: z.string(),
        updatedByName: z.string().nullable(),
      }),
    )
    .optional(),
});
export type AgentDetailList = z.infer<typeof AgentDetailList>;

/** `draft`: the copy is a draft that only administrators see until it is published. */
export const DuplicateAgentBody = z.strictObject({
  id: AgentId,
  name: z.string().min(1).max(120).optional(),
  draft: z.boolean().optional(),
});

/** POST `/api/agents/import`: the YAML or JSON of one agent, or of several under `agents`. */
export const ImportAgentsBody = z.strictObject({
  yaml: z.string().max(1_000_000),
  /** True: writes nothing; the reply says what would be written, and lists every problem. */
  dryRun: z.boolean().optional(),
  /**
   * Name of the file the text came from; a single agent at its top level takes its id from it (default: agents.yaml).
   */
  file: z.string().min(1).max(200).optional(),
  /** By agent, the published version the text was written from; 409 if another is published now. */
  baseVersions: z.record(AgentId, z.number().int().min(1)).optional(),
  /** True: agents that are new arrive as drafts, which only administrators see until they are published. */
  draft: z.boolean().optional(),
});
export type ImportAgentsBody = z.infer<typeof ImportAgentsBody>;
export const ImportAgentsReply = z.object({
  agents: z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(["created", "updated", "unchanged"]),
      warnings: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  ),
  /** From a dry run, with the line in the text; a text with problems is not imported. */
  problems: z.array(ConfigProblem.extend({ agentId: z.string().optional() })),
});
export type ImportAgentsReply = z.infer<typeof ImportAgentsReply>;

/** PATCH `/agents/{id}/hooks`: `add` appends, `config` sets a hook's own settings. */
export const PatchHooksBody = z.strictObject({
  add: z.array(z.string().min(1).max(100)).max(50).optional(),
  remove: z.array(z.string().min(1).max(100)).max(50).optional(),
  config: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export type PatchHooksBody = z.infer<typeof PatchHooksBody>;
export const PatchHooksReply = z.object({ agent_id: z.string(), hooks: z.array(HookInfo) });

/** GET `/agents/{id}/flow`. */
export const AgentFlow = z.object({
  agent_id: z.string(),
  model: z.string(),
  hooks: z.array(HookInfo),
  phases: z.array(z.object({ phase: z.string(), hooks: z.array(z.string()) })),
  tools: z.array(z.string()),
  limits: z.record(z.string(), z.unknown()),
  steps: z.array(z.object({ step: z.number(), name: z.string(), description: z.string(), hooks: z.array(z.string()) })),
});
export type AgentFlow = z.infer<typeof AgentFlow>;

export const AvailableTools = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      source: z.enum(["builtin", "hook", "extension", "http", "mcp"]),
      /** The condition under which an agent gets the hook, as a sentence. */
      offered: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      annotations: z.record(z.string(), z.boolean()),
    }),
  ),
});
export type AvailableTools = z.infer<typeof AvailableTools>;
export const AvailableHooks = z.object({
  hooks: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      /** Wire spelling (D-35), in running order. */
      phases: z.array(z.string()),
      /** JSON Schema of its settings. */
      config_schema: z.record(z.string(), z.unknown()),
      /** Part of the order that `hooks: null` means. */
      standard: z.boolean(),
      /** The hook's source; null for a built-in one. */
      extension: z.object({ file: z.string(), hash: z.string() }).nullable(),
    }),
  ),
});
export type AvailableHooks = z.infer<typeof AvailableHooks>;
