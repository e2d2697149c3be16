import type { Hook } from "@/lib/agent/hooks/hook";
import type { RunContext } from "@/lib/agent/run-context";
import { type FileHistory, normalizePath, type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";
import { assemblePrompt, PROMPT_SECTIONS } from "@/lib/prompt/assemble-prompt";
import { cutPromptFiles } from "@/lib/prompt/cut-files";
import { PROMPT_FILE_TEMPLATES } from "@/lib/prompt/file-templates";
import { isSectionOn, type PromptContext, type SectionDefinition } from "@/lib/prompt/section";
import { projectFiles } from "@/lib/prompt/sections/project-context-section";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PromptFile, PromptFileName } from "@/lib/schema/agents/prompt";
import { observeFiles } from "@/lib/tools/files/record-version";
import { readDocuments } from "@/lib/tools/memory/memory-documents";
import { readableDocuments } from "./readable-workspace";

/** Facts about the server and the run that a prompt may mention. */
export interface PromptEnvironment {
  /** Files of the agent's version, for agents of type `predefined`. */
  readonly agentFiles: readonly PromptFile[];
  /** The display name of the run's user. */
  userName(): Promise<string | null>;
  /** The id by which clients know the run's thread; null for a prompt preview. */
  threadName(): Promise<string | null>;
  /**
   * `files`: whether this run seeds the workspace. `chat`: whether its thread is the user's first with the agent.
   * Decided once, by the first call; the answer is the same for every segment.
   */
  isFirst(what: "files" | "chat"): Promise<boolean>;
}

interface PromptOptions {
  readonly config: AgentConfig;
  readonly workspace: Workspace | null;
  readonly fileHistory: FileHistory | null;
  readonly environment: PromptEnvironment;
  /** Sections of extensions. */
  readonly sections?: readonly SectionDefinition[];
  /** A counter that changes whenever a person edits memory. */
  readonly revision?: () => number;
}

/** An empty environment, for agents that are described but not run. */
export const NO_PROMPT_ENVIRONMENT: PromptEnvironment = {
  agentFiles: [],
  userName: async () => null,
  threadName: async () => null,
  isFirst: async () => false,
};

export const PROMPT_HOOK = "prompt";

const MAX_LISTED_ENTRIES = 50;

type Prepared = Omit<PromptContext, "config" | "given" | "tools">;

/**
 * S4's system prompt: arranges the sections of the agent's mode and those from other hooks in order (D-36). It must be
 * the last hook, so that it sees what the others added. It also seeds a new user's prompt files.
 */
export function promptHook(options: PromptOptions): Hook {
  const { config, sections = [], revision = () => 0 } = options;
  let prepared: Prepared | null = null;
  let readAt = 0;
  return {
    name: PROMPT_HOOK,
    async beforeAgent(context) {
      readAt = revision();
      prepared = await prepare(options, context);
    },
    async modifyRequest(request, context) {
      if (!prepared) return request;
      if (revision() !== readAt) {
        readAt = revision();
        prepared = { ...prepared, files: await loadFiles(options, context) };
      }
      return {
        ...request,
        system: assemblePrompt({ ...prepared, config, tools: request.tools }, request.system, sections),
      };
    },
  };
}

/** Whether the config's prompt needs more than the agent's own text and the sections of other hooks. */
export function needsPromptHook({ prompt, extra_context: extraContext, type, backend }: AgentConfig): boolean {
  if (prompt.mode !== "plain" || extraContext !== null) return true;
  return Object.keys(prompt.sections).length > 0 || (type === "open" && backend !== null);
}

async function prepare(options: PromptOptions, context: RunContext): Promise<Prepared> {
  const { config, workspace, environment } = options;
  const { backend } = config;
  const isOn = sectionsOn(config);
  const mayName = options.sections?.some((section) => isSectionOn(section, config)) ?? false;
  await seedFiles(options, context);
  const canExecute = backend !== null && workspace?.execute !== undefined;
  return {
    files: await loadFiles(options, context),
    workspace:
      backend && workspace && isOn("workspace")
        ? await describeWorkspace(readableDocuments(workspace, config), backend.workdir)
        : null,
    sandbox: canExecute
      ? { network: backend.network, memoryMb: backend.memory_mb, timeoutMs: backend.timeout_ms }
      : null,
    user: { id: context.userId, name: isOn("user") || mayName ? await environment.userName() : null },
    nowMs: context.now(),
    agentId: context.agentId,
    threadId: (isOn("runtime") ? await environment.threadName() : null) ?? context.threadId,
    model: context.model.name,
  };
}

function sectionsOn(config: AgentConfig): (name: string) => boolean {
  const on = new Set<string>(PROMPT_SECTIONS.filter((section) => isSectionOn(section, config)).map(({ name }) => name));
  return (name) => on.has(name);
}

/** Once per workspace: the seven templates of an `open` agent, USER.md of a `predefined` one that shows it. */
async function seedFiles({ config, workspace, fileHistory, environment }: PromptOptions, context: RunContext) {
  const isOpen = config.type === "open";
  if (!workspace || (!isOpen && !wantedFiles(config).includes("USER.md"))) return;
  if (!(await environment.isFirst("files"))) return;
  const agentUser = environment.agentFiles.find(({ name }) => name === "USER.md");
  const templates = PROMPT_FILE_TEMPLATES.filter(({ name }) => isOpen || name === "USER.md");
  for (const template of templates) {
    const { name, content } = !isOpen && agentUser ? agentUser : template;
    if ((await workspace.stat(name)) !== null) continue;
    const after = new TextEncoder().encode(content);
    await workspace.write(name, after);
    await fileHistory?.record({ path: name, before: null, after });
  }
  context.logLine("info", "prompt files seeded", { files: templates.length });
}

/** The files that the config's prompt includes. */
export function wantedFiles(config: AgentConfig): PromptFileName[] {
  const isOn = sectionsOn(config);
  const isFull = config.prompt.mode === "full";
  return [
    ...(isFull && isOn("identity") ? (["IDENTITY.md", "SOUL.md"] as const) : []),
    ...(isOn("project_context") ? projectFiles(config.prompt.mode) : []),
    ...(isOn("bootstrap") ? (["BOOTSTRAP.md"] as const) : []),
  ];
}

/** Per user for an `open` agent; from the agent's version for a `predefined` one, with the user's own USER.md. */
async function loadFiles(options: PromptOptions, context: RunContext): Promise<Map<PromptFileName, string>> {
  const { config, workspace, fileHistory, environment } = options;
  const wanted = await withoutLaterBootstrap(wantedFiles(config), environment);
  const memoryPaths = config.memory.paths.map((path) => normalizePath(path, config.backend?.workdir ?? "/workspace"));
  const inWorkspace = wanted
    .filter((name) => config.type === "open" || name === "USER.md")
    .filter((name) => !memoryPaths.includes(name));
  const found = new Map<PromptFileName, string>();
  if (config.type === "predefined") {
    for (const { name, content } of environment.agentFiles) if (wanted.includes(name)) found.set(name, content);
  }
  if (workspace) {
    const documents = await readDocuments(readableDocuments(workspace, config), inWorkspace);
    await observeFiles(fileHistory, documents, context);
    for (const { path, text } of documents) found.set(path as PromptFileName, text);
  }
  return cutPromptFiles(found, config.prompt.files);
}

async function withoutLaterBootstrap(
  wanted: readonly PromptFileName[],
  environment: PromptEnvironment,
): Promise<readonly PromptFileName[]> {
  if (!wanted.includes("BOOTSTRAP.md") || (await environment.isFirst("chat"))) return wanted;
  return wanted.filter((name) => name !== "BOOTSTRAP.md");
}

async function describeWorkspace(workspace: Workspace, workdir: string): Promise<PromptContext["workspace"]> {
  try {
    const listed = await workspace.list("");
    const entries = listed.slice(0, MAX_LISTED_ENTRIES).map(({ name, type }) => (type === "dir" ? `${name}/` : name));
    return { workdir, entries, omitted: listed.length - entries.length + (listed.omitted ?? 0) };
  } catch (error) {
    if (error instanceof WorkspaceError) return { workdir, entries: [], omitted: 0 };
    throw error;
  }
}
