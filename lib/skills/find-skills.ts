import { messageOf } from "@/lib/agent/hooks/hook-chain";
import type { RunContext } from "@/lib/agent/run-context";
import { decodeForReading } from "@/lib/agent/workspace/file-text";
import { normalizePath, type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { AllowedTool } from "./allowed-tools";
import { parseSkillFrontmatter } from "./skill-frontmatter";

/** A skill that an agent can use (S0 SkillEntry). `path` is that of its SKILL.md, as the file tools accept it. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  /** `library` for an installed skill. */
  readonly source: "workspace" | "library";
}

/** The maximum number of skills per path; more are a mistake. */
const MAX_SKILLS = 500;
/** How much of a SKILL.md is read: its frontmatter is at the start. */
const MAX_FRONTMATTER_BYTES = 20_000;

/**
 * The SKILL.md files in sub-folders of the paths, in order, then the installed skills (D-64); the workspace's own skill
 * wins over an installed one of the same name. Unreadable skills are skipped with a log line.
 */
export async function findSkills(
  workspace: Workspace,
  folders: readonly string[],
  context: RunContext,
): Promise<SkillEntry[]> {
  const skills = new Map<string, SkillEntry>();
  for (const folder of folders) {
    for (const path of await findSkillFiles(workspace, folder)) {
      if (skills.has(path)) continue;
      try {
        skills.set(path, await readSkill(workspace, path));
      } catch (error) {
        context.logLine("warn", `skill skipped: ${messageOf(error)}`, { path });
      }
    }
  }
  const own = [...skills.values()];
  const names = new Set(own.map(({ name }) => name));
  const installed = (await workspace.installedSkills?.()) ?? [];
  const others = installed.filter(({ name }) => !names.has(name));
  return [...own, ...others.map((skill) => ({ ...skill, source: "library" as const }))];
}

/** The workspace paths of `skills.paths`, as written in the agent's config. */
export function skillFolders(paths: readonly string[], workdir: string): string[] {
  return paths.map((path) => normalizePath(path, workdir));
}

async function findSkillFiles(workspace: Workspace, folder: string): Promise<string[]> {
  try {
    const { files } = await workspace.glob("**/SKILL.md", folder, MAX_SKILLS);
    const top = folder === "" ? "SKILL.md" : `${folder}/SKILL.md`;
    return files.filter((path) => path !== top && !path.startsWith("/"));
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}

async function readSkill(workspace: Workspace, path: string): Promise<SkillEntry> {
  const { bytes } = await workspace.read(path, MAX_FRONTMATTER_BYTES);
  const frontmatter = parseSkillFrontmatter(decodeForReading(path, bytes));
  const folder = path.split("/").at(-2) ?? path;
  const name = frontmatter?.name ?? folder;
  return { path, name, description: frontmatter?.description ?? "", source: "workspace" };
}

/** The tools that a skill's front matter allows; null for all, or if it can't be read. */
export async function readAllowedTools(
  workspace: Workspace,
  { path }: SkillEntry,
): Promise<readonly AllowedTool[] | null> {
  try {
    const { bytes } = await workspace.read(path, MAX_FRONTMATTER_BYTES);
    return parseSkillFrontmatter(decodeForReading(path, bytes))?.allowedTools ?? null;
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}
