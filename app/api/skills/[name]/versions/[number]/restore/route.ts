import { z } from "zod";
import { VersionNumber } from "@/lib/schema/page-query";
import { InstalledSkill, SkillName } from "@/lib/schema/skills/skill";
import { json } from "@/lib/server/http/reply";
import { restoreSkillVersion } from "@/lib/server/skills/restore-skill-version";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ name: SkillName, number: VersionNumber }),
    reply: InstalledSkill,
    summary: "Create the next version of a skill with the files of an older one",
  },
  async ({ services, params: { name, number }, viewer }) =>
    json(await restoreSkillVersion(services, name, number, viewer), { schema: InstalledSkill }),
);
