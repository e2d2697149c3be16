import type { Hook } from "@/lib/agent/hook";
import type { Workspace } from "@/lib/agent/workspace";
import { findSkills, type SkillEntry, skillFolders } from "./find-skills";

interface SkillsOptions {
  readonly workspace: Workspace;
  readonly workdir: string;
  readonly paths: readonly string[];
  /** Null: every skill that is found. */
  readonly enabled: readonly string[] | null;
}

/**
 * S0's skills hook: finds the workspace's skills at the start of a segment and lists them in the system prompt of
 * every model call. Only the list is sent; the agent opens a SKILL.md with read_file when it needs it.
 */
export function skillsHook({ workspace, workdir, paths, enabled }: SkillsOptions): Hook {
  let catalog = "";
  return {
    name: "skills",
    async beforeAgent(context) {
      const skills = await findSkills(workspace, skillFolders(paths, workdir), context);
      catalog = formatCatalog(skills.filter(({ name }) => enabled === null || enabled.includes(name)));
    },
    async modifyRequest(request) {
      if (catalog === "") return request;
      return { ...request, system: [...request.system, { name: "skills", text: catalog }] };
    },
  };
}

function formatCatalog(skills: readonly SkillEntry[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(
    ({ name, description, path }) =>
      `- ${[`[${name}]`, description].filter(Boolean).join(" ")} → Read ${path} for full instructions`,
  );
  return ["Available Skills:", ...lines].join("\n");
}
