import { z } from "zod";
import { SkillName, SkillUsage } from "@/lib/schema/skills/skill";
import { json } from "@/lib/server/http/reply";
import { getSkillUsage } from "@/lib/server/skills/get-skill";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ name: SkillName }),
    reply: SkillUsage,
    summary: "The agents that have a skill, and what their prompts say of it",
  },
  async ({ services, params: { name } }) => json(await getSkillUsage(services.database, name), { schema: SkillUsage }),
);
