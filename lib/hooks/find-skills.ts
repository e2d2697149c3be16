import { parse } from "yaml";
import { z } from "zod";
import { messageOf } from "@/lib/agent/hook-chain";
import type { RunContext } from "@/lib/agent/run-context";
import { normalizePath, type Workspace, WorkspaceError } from "@/lib/agent/workspace";
import { decodeForReading } from "@/lib/tools/file-text";

/** A skill of the workspace (S0 SkillEntry). `path` is that of its SKILL.md, relative to the workspace root. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/** Skills listed from one path; more are a mistake. */
const MAX_SKILLS = 500;
/** Only the start of a SKILL.md is read: that is where its frontmatter stands. */
const MAX_FRONTMATTER_BYTES = 20_000;

const Frontmatter = z.object({ name: z.string().trim().min(1).optional(), description: z.string().optional() });

/** The SKILL.md files in sub-folders of the paths, in order. One that can't be read is skipped with a log line. */
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
  return [...skills.values()];
}

/** The workspace paths of `skills.paths`, as the agent's config writes them. */
export function skillFolders(paths: readonly string[], workdir: string): string[] {
  return paths.map((path) => normalizePath(path, workdir));
}

async function findSkillFiles(workspace: Workspace, folder: string): Promise<string[]> {
  try {
    const { files } = await workspace.glob("**/SKILL.md", folder, MAX_SKILLS);
    return files.filter((path) => path !== (folder === "" ? "SKILL.md" : `${folder}/SKILL.md`));
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}

async function readSkill(workspace: Workspace, path: string): Promise<SkillEntry> {
  const { bytes } = await workspace.read(path, MAX_FRONTMATTER_BYTES);
  const { name, description = "" } = parseFrontmatter(decodeForReading(path, bytes));
  const folder = path.split("/").at(-2) ?? path;
  return { path, name: toOneLine(name ?? folder), description: toOneLine(description) };
}

function parseFrontmatter(text: string): z.infer<typeof Frontmatter> {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return {};
  const yaml: unknown = parse(match[1] ?? "", { maxAliasCount: 10 });
  return Frontmatter.parse(yaml ?? {});
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
