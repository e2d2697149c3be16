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
import { readableDocuments, readableWorkspace } from "@/lib/hooks/readable-workspace";
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
import type { KeepImage } from "@/lib/tools/files/view-image";
import type { FileLock, ReadDocument } from "@/lib/tools/files/workspace-files";
import type { MemoryIndex } from "@/lib/tools/memory/memory-index";
import { MEMORY_TOOL_NAMES } from "@/lib/tools/memory/memory-tools";
import { isToolNamed } from "@/lib/tools/offer-tools";

export interface StandardHookOptions {
  readonly config: AgentConfig;
  /** Null without a backend: the agent then has no file tools, skills or memory (S0's activation rules). */
  readonly workspace: Workspace | null;
  readonly fileHistory: FileHistory | null;
  /** Names the workspace in what each step records. */
  readonly workspaceId?: string | null;
  readonly verboseTrace: boolean;
  /** Shared by every writer to the workspace. */
  readonly fileLock?: FileLock;
  /** Without this, only text files can be read. */
  readonly readDocument?: ReadDocument;
  /** Without this, pictures can't be looked at. */
  readonly keepImage?: KeepImage;
  /** The workspace's own index, kept from run to run. */
  readonly memoryIndex?: MemoryIndex;
  /** Changes whenever a person has edited memory. */
  readonly memoryRevision?: () => number;
  /** Without this, the prompt describes no user. */
  readonly prompt?: PromptEnvironment;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A hook that agents may name. `create` returns null if the agent's config does not require it. */
export interface HookDefinition {
  readonly name: string;
  readonly description: string;
  /** The schema of its settings, for the editor. */
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

interface HookPlan<Settings extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly settings: Settings;
  /** The defaults for settings missing from the hook's entry: those of the agent's own section. */
  readonly defaults?: (options: StandardHookOptions) => Readonly<Record<string, unknown>>;
  readonly create: (options: StandardHookOptions, settings: z.output<Settings>) => Hook | null;
}

function define<Settings extends z.ZodType>(plan: HookPlan<Settings>): HookDefinition {
  const { name, description, settings: schema, defaults, create } = plan;
  // Most runs build their hooks from a config section that is loaded once, so its parsed settings are cached.
  const known = new WeakMap<object, z.output<Settings>>();
  const read = (section: Readonly<Record<string, unknown>>, settings: Readonly<Record<string, unknown>>) => {
    if (Object.keys(settings).length > 0) return readSettings(name, schema, { ...section, ...settings });
    const parsed = known.get(section) ?? readSettings(name, schema, section);
    known.set(section, parsed);
    return parsed;
  };
  return {
    name,
    description,
    configSchema: schemaOf(schema),
    create: (options, settings) => create(options, read(defaults?.(options) ?? NO_SETTINGS, settings)),
  };
}

const NO_SETTINGS = {};

/** Every setting is optional. */
function schemaOf(settings: z.ZodType): JsonSchema {
  const { $schema: _, required: __, ...document } = z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
  return document;
}

const tracing = define({
  name: "tracing",
  description: "Records a span for every model call and every tool call.",
  settings: TracingSettings,
  defaults: ({ verboseTrace }) => ({ verbose: verboseTrace }),
  create: ({ workspaceId = null }, { verbose }) => tracingHook({ isVerbose: verbose, workspaceId }),
});

/** Tools without a call that asks by itself. */
const NEVER_ASKING = ["ask_user", "calculate", "current_datetime", "skill_search", ...MEMORY_TOOL_NAMES];

/**
 * Tools of MCP servers, creating a schedule, messaging others and addresses that nobody gave require approval even if
 * permissions are off. False for an agent that has no tool to do any of it.
 */
export function mayAskByItself(
  { mcp_servers: servers, tools, hooks, backend }: Pick<AgentConfig, "mcp_servers" | "tools" | "hooks" | "backend">,
  workspace: Pick<Workspace, "isSandboxed"> | null = null,
): boolean {
  const isOwnHook = (name: string) => !ALL_HOOKS.some((known) => known.name === name);
  return (
    servers.length > 0 ||
    !Array.isArray(tools) ||
    tools.some((name) => !NEVER_ASKING.includes(name)) ||
    (hooks ?? []).some((entry) => isOwnHook(typeof entry === "string" ? entry : entry.name)) ||
    (backend?.type === "local" && (backend.network || workspace?.isSandboxed === false))
  );
}

const permissions = define({
  name: "permissions",
  description: "Decides which tool calls may run, which need a person's approval and which are refused.",
  settings: PermissionsConfig,
  defaults: ({ config }) => config.permissions,
  create({ config, workspace }, settings) {
    if (!settings.enabled && !mayAskByItself(config, workspace)) return null;
    const { name: agentName, backend } = config;
    const place = { agentName, backend, workspace };
    return permissionsHook({ permissions: settings, workdir: backend?.workdir ?? "/workspace", place });
  },
});

const todoList = define({
  name: "todolist",
  description: "Lets the agent keep a list of todos with write_todos.",
  settings: NoSettings,
  create: () => todoListHook(),
});

const filesystem = define({
  name: "filesystem",
  description: "Offers the file tools of the agent's workspace, keeps file versions and cuts huge tool results.",
  settings: EvictionConfig,
  defaults: ({ config }) => config.eviction,
  create({ config, workspace, fileHistory, fileLock, keepImage, readDocument }, eviction) {
    if (!workspace || !config.backend) return evictionHook(eviction);
    const shared = {
      memoryPaths: config.memory.paths,
      ...(fileLock ? { fileLock } : {}),
      ...(keepImage ? { keepImage } : {}),
      ...(readDocument ? { readDocument } : {}),
    };
    const readable = readableWorkspace(workspace, config);
    return filesystemHook({ workspace, readable, fileHistory, eviction, backend: config.backend, ...shared });
  },
});

const eviction = define({
  name: "eviction",
  description: "Cuts huge tool results; the filesystem hook does the same where there is a workspace.",
  settings: EvictionConfig,
  defaults: ({ config }) => config.eviction,
  create: (_, settings) => evictionHook(settings),
});

const skills = define({
  name: "skills",
  description: "Tells the model about the workspace's and the installed skills: a list, their texts, or a search.",
  settings: SkillsConfig,
  defaults: ({ config }) => config.skills,
  create({ config, workspace }, settings) {
    if (!workspace || !config.backend || settings.paths.length === 0) return null;
    return skillsHook({ workspace: readableDocuments(workspace, config), workdir: config.backend.workdir, settings });
  },
});

const memory = define({
  name: "memory",
  description: "Puts the agent's memory documents into the system prompt and offers the memory tools.",
  settings: MemorySettings,
  defaults: ({ config }) => config.memory,
  create({ config, workspace, fileHistory, fileLock, memoryIndex, memoryRevision }, settings) {
    if (!workspace || !config.backend) return null;
    if (settings.paths.length === 0 && !MEMORY_TOOL_NAMES.some((name) => isToolNamed(config, name))) return null;
    const { workdir } = config.backend;
    const shared = {
      fileHistory,
      ...(fileLock ? { fileLock } : {}),
      ...(memoryIndex ? { index: memoryIndex } : {}),
      ...(memoryRevision ? { revision: memoryRevision } : {}),
    };
    const readable = readableDocuments(workspace, config);
    return memoryHook({ workspace, readable, workdir, paths: settings.paths, settings, ...shared });
  },
});

const summarization = define({
  name: "summarization",
  description: "Sends the older part of a long conversation as a summary when the context window fills up.",
  settings: SummarizationConfig,
  defaults: ({ config }) => config.summarization,
  create: ({ config, verboseTrace }, settings) =>
    summarizationHook({
      isVerbose: verboseTrace,
      settings,
      contextWindow: contextWindowOf(config),
      charsPerToken: config.chars_per_token,
    }),
});

const injectContext = define({
  name: "inject-context",
  description: "Sends a fixed text of the agent before the conversation; it is never stored.",
  settings: InjectContextSettings,
  defaults: ({ config }) => ({ text: config.inject_context }),
  create: (_, { text }) => (text === null || text === "" ? null : injectContextHook(text)),
});

const usageLog = define({
  name: "usage-log",
  description: "Writes one log line with the tokens of every run that has ended.",
  settings: NoSettings,
  create: () => usageLogHook(),
});

const prompt = define({
  name: PROMPT_HOOK,
  description: "Assembles the sections of the system prompt; always the last.",
  settings: NoSettings,
  create({ config, workspace, fileHistory, memoryRevision, prompt: environment = NO_PROMPT_ENVIRONMENT }) {
    if (!needsPromptHook(config)) return null;
    const shared = { sections: extensionSections(), ...(memoryRevision ? { revision: memoryRevision } : {}) };
    return promptHook({ config, workspace, fileHistory, environment, ...shared });
  },
});

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

/** The problems of a hook entry's settings; paths are relative to its `config`. */
export function settingsError(name: string, problems: readonly FieldProblem[]): AppError {
  const text = problems.map(({ path, message }) => [path, message].filter(Boolean).join(": ")).join("; ");
  return new AppError("invalid_input", `hooks: settings of ${name}: ${text}`, { details: problems });
}
