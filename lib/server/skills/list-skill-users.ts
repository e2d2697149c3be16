import "server-only";
import type { InstalledSkill } from "@/lib/schema/skill";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { database } from "@/lib/server/platform/db/database";
import { selectedSkills } from "@/lib/skills/skill-settings";

/** Who uses an installed skill: the agents whose published config enables skills and does not exclude it. */
export async function listSkillUsers(): Promise<(name: string) => InstalledSkill["usedBy"]> {
  const rows = await database().agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null } },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const agents = await Promise.all(
    rows.map(async ({ id, currentVersionId }) => {
      const { config } = await loadAgentVersion(database(), currentVersionId ?? "");
      return { id, name: config.name, selection: selectedSkills(config) };
    }),
  );
  return (skill) =>
    agents.flatMap(({ id, name, selection }) => {
      const isOffered = selection !== null && (selection.enabled === null || selection.enabled.includes(skill));
      return isOffered ? [{ id, name }] : [];
    });
}
