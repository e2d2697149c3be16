import { z } from "zod";
import { InstalledSkill, SkillName } from "@/lib/schema/skills/skill";
import { json } from "@/lib/server/http/reply";
import { restoreSkill } from "@/lib/server/skills/delete-skill";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ name: SkillName }),
    reply: InstalledSkill,
    summary: "Restore a deleted skill",
  },
  async ({ services, params: { name }, viewer }) =>
    json(await restoreSkill(services, name, viewer), { schema: InstalledSkill }),
);
