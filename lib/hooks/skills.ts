import type { Hook } from "@/lib/agent/hooks/hook";
import type { PromptSection } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { askedSkill, askedSkillText } from "@/lib/skills/asked-skill";
import { inlineSkill, skillCatalog, skillSearchHint, skillsMode } from "@/lib/skills/describe-skills";
import { findSkills, readAllowedTools, type SkillEntry, skillFolders } from "@/lib/skills/find-skills";
import { readDocument } from "@/lib/tools/memory/memory-documents";
import { offerTools } from "@/lib/tools/offer-tools";
import { skillSearchTool } from "@/lib/tools/skill-search";
import { allowedNames, isAllowedTool, type Narrowing, narrowingOf, setNarrowing } from "./narrow-tools";

interface SkillsOptions {
  readonly workspace: Workspace;
  readonly workdir: string;
  readonly settings: SkillSettings;
}

type SkillSettings = AgentConfig["skills"];

/**
 * S0's skills hook: finds the workspace's and the installed skills at the start of a segment and presents them to the
 * model as a list, as full texts, or through the tool skill_search if there are many (D-22). If a message begins with a
 * skill's command, such as `/pdf`, the model is instructed to use that skill, and the rest of the run is restricted to
 * the skill's `allowed-tools`.
 */
export function skillsHook({ workspace, workdir, settings }: SkillsOptions): Hook {
  const { paths, enabled } = settings;
  let section: PromptSection | null = null;
  return {
    name: "skills",
    async beforeAgent(context) {
      const found = await findSkills(workspace, skillFolders(paths, workdir), context);
      const skills = found.filter(({ name }) => enabled === null || enabled.includes(name));
      section = skills.length === 0 ? null : await describe(skills, settings, { workspace, context });
      if (section) section = { ...section, items: { named: namedBy(section, skills), all: found.length } };
      const asked = askedSkill(context.messages, skills);
      const narrowing = asked && (await narrow(asked, { workspace, workdir }));
      setNarrowing(context, narrowing);
      if (section && asked) {
        section = { ...section, text: `${section.text}\n\n${askedSkillText(asked)}${narrowingText(narrowing)}` };
      }
    },
    async modifyRequest(request, context) {
      if (section === null) return request;
      const narrowing = narrowingOf(context);
      const isOffered = (name: string) => {
        const tool = context.findTool(name);
        return !narrowing || !tool || isAllowedTool(narrowing, tool, context);
      };
      const tools = narrowing ? request.tools.filter(({ name }) => isOffered(name)) : request.tools;
      return { ...request, tools, system: [...request.system, section] };
    },
  };
}

/** A search names none beforehand. */
function namedBy({ name }: PromptSection, skills: readonly SkillEntry[]): number {
  return name === "skills" ? skills.length : 0;
}

/** The restriction that the requested skill's `allowed-tools` puts on the rest of the run. */
async function narrow(
  asked: SkillEntry,
  { workspace, workdir }: Pick<SkillsOptions, "workspace" | "workdir">,
): Promise<Narrowing | null> {
  const allowed = await readAllowedTools(workspace, asked);
  if (allowed === null) return null;
  return { skill: asked.name, allowed, folder: asked.path.slice(0, -"/SKILL.md".length), workdir };
}

function narrowingText(narrowing: Narrowing | null): string {
  return narrowing ? ` It allows these tools and no others: ${allowedNames(narrowing)}.` : "";
}

async function describe(
  skills: readonly SkillEntry[],
  settings: SkillSettings,
  { workspace, context }: { workspace: Workspace; context: RunContext },
): Promise<PromptSection> {
  const mode = skillsMode(skills, settings, context.config.chars_per_token);
  if (mode === "catalog") return { name: "skills", text: skillCatalog(skills) };
  if (mode === "inline") return { name: "skills", text: await textsOf(skills, workspace) };
  offerTools([skillSearchTool(skills, settings.search.top)], context);
  return { name: "skill_search", text: skillSearchHint(skills.length) };
}

async function textsOf(skills: readonly SkillEntry[], workspace: Workspace): Promise<string> {
  const texts = await Promise.all(
    skills.map(async (skill) => {
      const document = await readDocument(workspace, skill.path);
      return document ? inlineSkill(skill, document.text) : "";
    }),
  );
  return ["Your skills. Follow the one that fits the task:", ...texts.filter(Boolean)].join("\n\n");
}
