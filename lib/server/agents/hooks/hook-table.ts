import { z } from "zod";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { FileHistory, Workspace } from "@/lib/agent/workspace/workspace";
import { evictionHook } from "@/lib/hooks/eviction";
import { filesystemHook } from "@/lib/hooks/filesystem";
import { injectContextHook } from "@/lib/hooks/inject-context";
import { memoryHook } from "@/lib/hooks/memory";
import { permissionsHook } from "@/lib/hooks/permissions";
import {
  NO_PROMPT_ENVIRONMENT,
  needsPromptHook,
  PROMPT_HOOK,
  type PromptEnvironment,
  promptHook,
} from "@/lib/hooks/prompt";
import { skillsHook } from "@/lib/hooks/skills";
import { summarizationHook } from "@/lib/hooks/summarization";
import { todoListHook } from "@/lib/hooks/todo-list";
import { tracingHook } from "@/lib/hooks/tracing";
import { usageLogHook } from "@/lib/hooks/usage-log";
import { type AgentConfig, contextWindowOf } from "@/lib/schema/agents/agent-config";
import { EvictionConfig, SummarizationConfig } from "@/lib/schema/agents/agent-config-context";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { SkillsConfig } from "@/lib/schema/agents/agent-config-texts";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";
import { extensionSections } from "@/lib/server/extensions/extension-sections";
import { describeIssues } from "@/lib/server/http/field-problems";
import type { FileLock } from "@/lib/tools/files/workspace-files";
import type { MemoryIndex } from "@/lib/tools/memory/memory-index";
import { MEMORY_TOOL_NAMES } from "@/lib/tools/memory/memory-tools";
import { isToolNamed } from "@/lib/tools/offer-tools";

export interface StandardHookOptions {
  readonly config: AgentConfig;
  /** Null without a backend: then there are no file tools, skills and memory (S0's activation rules). */
  readonly workspace: Workspace | null;
  readonly fileHistory: FileHistory | null;
  readonly verboseTrace: boolean;
  /** Shared by everything that writes to the workspace. */
  readonly fileLock?: FileLock;
  /** The workspace's own, kept from run to run. */
  readonly memoryIndex?: MemoryIndex;
  /** Without it the prompt describes no user. */
  readonly prompt?: PromptEnvironment;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A hook that agents may name. `create` returns null when the agent's config does not require it. */
export interface HookDefinition {
  readonly name: string;
  readonly description: string;
  /** Of its settings, for the editor. */
  readonly configSchema: JsonSchema;
  /** `settings` are those of an entry of the agent's `hooks`; they override the agent's own section. */
  create(options: StandardHookOptions, settings: Readonly<Record<string, unknown>>): Hook | null;
}

const TracingSettings = z.strictObject({ verbose: z.boolean() });
const InjectContextSettings = z.strictObject({ text: z.string().nullable() });
const MemorySettings = z.strictObject({
  paths: z.array(z.string().min(1)),
  daily_notes_days: z.number().int().nonnegative().max(366),
  recall: z.strictObject({ enabled: z.boolean(), top: z.number().int().nonnegative().max(50) }),
});

const NoSettings = z.strictObject({});

function schemaOf(settings: z.ZodType): JsonSchema {
  const { $schema: _, ...document } = z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
  return document;
}

const tracing: HookDefinition = {
  name: "tracing",
  description: "Records a span for every model call and every tool call.",
  configSchema: schemaOf(TracingSettings.partial()),
  create({ verboseTrace }, settings) {
    const { verbose } = readSettings("tracing", TracingSettings, { verbose: verboseTrace, ...settings });
    return tracingHook({ isVerbose: verbose });
  },
};

const permissions: HookDefinition = {
  name: "permissions",
  description: "Decides which tool calls may run, which need a person's approval and which are refused.",
  configSchema: schemaOf(PermissionsConfig),
  create({ config, workspace }, settings) {
    const merged = readSettings("permissions", PermissionsConfig, { ...config.permissions, ...settings });
    if (!merged.enabled) return null;
    const { name: agentName, backend } = config;
    const place = { agentName, backend, workspace };
    return permissionsHook({ permissions: merged, workdir: backend?.workdir ?? "/workspace", place });
  },
};

const todoList: HookDefinition = {
  name: "todolist",
  description: "Lets the agent keep a list of todos with write_todos.",
  configSchema: schemaOf(NoSettings),
  create(_, settings) {
    readSettings("todolist", NoSettings, settings);
    return todoListHook();
  },
};

const filesystem: HookDefinition = {
  name: "filesystem",
  description: "Offers the file tools of the agent's workspace, keeps file versions and cuts huge tool results.",
  configSchema: schemaOf(EvictionConfig),
  create({ config, workspace, fileHistory, fileLock }, settings) {
    const eviction = readSettings("filesystem", EvictionConfig, { ...config.eviction, ...settings });
    if (!workspace || !config.backend) return evictionHook(eviction);
    const shared = { memoryPaths: config.memory.paths, ...(fileLock ? { fileLock } : {}) };
    return filesystemHook({ workspace, fileHistory, eviction, backend: config.backend, ...shared });
  },
};

const eviction: HookDefinition = {
  name: "eviction",
  description: "Cuts huge tool results; the filesystem hook does the same where there is a workspace.",
  configSchema: schemaOf(EvictionConfig),
  create({ config }, settings) {
    return evictionHook(readSettings("eviction", EvictionConfig, { ...config.eviction, ...settings }));
  },
};

const skills: HookDefinition = {
  name: "skills",
  description: "Tells the model of the skills found in the workspace and installed: a list, their texts, or a search.",
  configSchema: schemaOf(SkillsConfig),
  create({ config, workspace }, settings) {
    const merged = readSettings("skills", SkillsConfig, { ...config.skills, ...settings });
    if (!workspace || !config.backend || merged.paths.length === 0) return null;
    return skillsHook({ workspace, workdir: config.backend.workdir, settings: merged });
  },
};

const memory: HookDefinition = {
  name: "memory",
  description: "Puts the agent's memory documents into the system prompt and offers the memory tools.",
  configSchema: schemaOf(MemorySettings.partial()),
  create({ config, workspace, fileHistory, fileLock, memoryIndex }, settings) {
    const merged = readSettings("memory", MemorySettings, { ...config.memory, ...settings });
    if (!workspace || !config.backend) return null;
    if (merged.paths.length === 0 && !MEMORY_TOOL_NAMES.some((name) => isToolNamed(config, name))) return null;
    const { workdir } = config.backend;
    const shared = { fileHistory, ...(fileLock ? { fileLock } : {}), ...(memoryIndex ? { index: memoryIndex } : {}) };
    return memoryHook({ workspace, workdir, paths: merged.paths, settings: merged, ...shared });
  },
};

const summarization: HookDefinition = {
  name: "summarization",
  description: "Sends the older part of a long conversation as a summary when the context window fills up.",
  configSchema: schemaOf(SummarizationConfig),
  create({ config, verboseTrace }, settings) {
    return summarizationHook({
      isVerbose: verboseTrace,
      settings: readSettings("summarization", SummarizationConfig, { ...config.summarization, ...settings }),
      contextWindow: contextWindowOf(config),
      charsPerToken: config.chars_per_token,
    });
  },
};

const injectContext: HookDefinition = {
  name: "inject-context",
  description: "Sends a text of the agent's before the conversation; it is never stored.",
  configSchema: schemaOf(InjectContextSettings.partial()),
  create({ config }, settings) {
    const text = readSettings("inject-context", InjectContextSettings, {
      text: config.inject_context,
      ...settings,
    }).text;
    return text === null || text === "" ? null : injectContextHook(text);
  },
};

const usageLog: HookDefinition = {
  name: "usage-log",
  description: "Writes one log line with the tokens of every run that has ended.",
  configSchema: schemaOf(NoSettings),
  create(_, settings) {
    readSettings("usage-log", NoSettings, settings);
    return usageLogHook();
  },
};

const prompt: HookDefinition = {
  name: PROMPT_HOOK,
  description: "Puts the sections of the system prompt together; always the last.",
  configSchema: schemaOf(NoSettings),
  create({ config, workspace, fileHistory, prompt: environment = NO_PROMPT_ENVIRONMENT }, settings) {
    readSettings(PROMPT_HOOK, NoSettings, settings);
    return needsPromptHook(config)
      ? promptHook({ config, workspace, fileHistory, environment, sections: extensionSections() })
      : null;
  },
};

/** S0's registration order, then later additions: the first is the outermost ring. */
export const STANDARD_HOOKS: readonly HookDefinition[] = [
  tracing,
  permissions,
  todoList,
  filesystem,
  skills,
  memory,
  summarization,
  injectContext,
  prompt,
];

/** Every hook that an agent's `hooks` may name. */
export const ALL_HOOKS: readonly HookDefinition[] = [...STANDARD_HOOKS, eviction, usageLog];

function readSettings<Settings extends z.ZodType>(name: string, schema: Settings, value: unknown): z.output<Settings> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw settingsError(name, describeIssues(parsed.error, schema));
}

/** What is wrong with the settings of a hook's entry; paths are relative to its `config`. */
export function settingsError(name: string, problems: readonly FieldProblem[]): AppError {
  const text = problems.map(({ path, message }) => [path, message].filter(Boolean).join(": ")).join("; ");
  return new AppError("invalid_input", `hooks: settings of ${name}: ${text}`, { details: problems });
}
