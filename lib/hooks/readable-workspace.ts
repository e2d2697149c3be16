import { normalizePath, type Workspace, type WorkspaceEntry, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { NamedTool } from "@/lib/permissions/permission-rules";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import { type ReadingRules, readingRules } from "@/lib/permissions/reading-rules";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { GLOB, GREP, LS, READ_FILE } from "@/lib/tools/files/file-tool-names";

type RuledConfig = Pick<AgentConfig, "permissions" | "hooks" | "backend">;

/** The agent's rules about single files; null if it has none. */
export function fileRules(config: RuledConfig): ReadingRules | null {
  return readingRules(permissionSettings(config), config.backend?.workdir ?? "/workspace", READ_FILE);
}

/** The workspace as the agent's file tools may show it: without the files that its rules keep from it. */
export function readableWorkspace(workspace: Workspace, config: RuledConfig): Workspace {
  return narrowed(workspace, config, { list: LS, glob: GLOB, grep: GREP });
}

/**
 * The same for files that are read without a call of a file tool (memory, skills, files of the prompt): only the rules
 * for reading apply, and what they would ask about is not read, because nobody is asked.
 */
export function readableDocuments(workspace: Workspace, config: RuledConfig): Workspace {
  const shown = narrowed(workspace, config, { list: READ_FILE, glob: READ_FILE, grep: READ_FILE });
  const rules = fileRules(config);
  if (rules === null) return workspace;
  return {
    ...shown,
    async read(path, maxBytes) {
      if (rules.mayQuote(path)) return workspace.read(path, maxBytes);
      throw new WorkspaceError("failed", `The rules of this agent do not allow reading ${path} without asking.`);
    },
    ...(workspace.installedSkills && {
      installedSkills: async () =>
        ((await workspace.installedSkills?.()) ?? []).filter(({ path }) => rules.mayQuote(normalizePath(path, ""))),
    }),
  };
}

function narrowed(
  workspace: Workspace,
  config: RuledConfig,
  tools: Readonly<Record<"list" | "glob" | "grep", NamedTool>>,
): Workspace {
  const rules = fileRules(config);
  if (rules === null) return workspace;
  return {
    ...workspace,
    isPartlyHidden: true,
    async list(path) {
      const listing = await workspace.list(path);
      const isShown = ({ name, type }: WorkspaceEntry) =>
        type === "dir" || rules.mayName(path === "" ? name : `${path}/${name}`, tools.list);
      const shown = listing.filter(isShown);
      return listing.omitted === undefined ? shown : Object.assign(shown, { omitted: listing.omitted });
    },
    async read(path, maxBytes) {
      if (rules.mayName(path)) return workspace.read(path, maxBytes);
      throw new WorkspaceError("failed", `The rules of this agent do not allow reading ${path}.`);
    },
    glob: (pattern, path, limit) => workspace.glob(pattern, path, limit, (file) => rules.mayName(file, tools.glob)),
    grep: (query) => workspace.grep({ ...query, isShown: (file) => rules.mayQuote(file, tools.grep) }),
  };
}
