import { z } from "zod";
import { SkillName, SkillVersionList } from "@/lib/schema/skills/skill";
import { json } from "@/lib/server/http/reply";
import { listSkillVersions } from "@/lib/server/skills/get-skill";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ name: SkillName }),
    reply: SkillVersionList,
    summary: "The versions of an installed skill, newest first",
  },
  async ({ services, params: { name } }) =>
    json({ versions: await listSkillVersions(services.database, name) }, { schema: SkillVersionList }),
);
